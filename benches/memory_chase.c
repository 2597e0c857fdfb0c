/* memory_chase BYTES SECONDS - the time of a load that waits for the one before it, in ns, for benches.bench_memory:
 * the median over slices, as other programs take the CPU away for some ms at a time and a mean would hold that. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 1 << 20, LOADS = 4096 };

static double slice_ns[MOST];

static int ascending(const void *one, const void *other)
{
    const double x = *(const double *)one, y = *(const double *)other;
    return (x > y) - (x < y);
}

int main(int count, char **arguments)
{
    const size_t n = count == 3 ? strtoull(arguments[1], NULL, 10) / 256 : 0;
    char *const base = n > 1 ? aligned_alloc(4096, n * 256) : NULL;
    size_t *const next = n > 1 ? malloc(n * sizeof(size_t)) : NULL;
    if (base == NULL || next == NULL) {
        return 2;
    }
    uint64_t random = 88172645463325252U;
    for (size_t i = 0; i < n; i++) {
        next[i] = i;
    }
    for (size_t i = n - 1; i > 0; i--) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        const size_t j = random % i, kept = next[i];
        next[i] = next[j];
        next[j] = kept;
    }
    for (size_t i = 0; i < n; i++) {
        *(void **)(base + 256 * i) = base + 256 * next[i];
    }
    free(next);
    void **at = (void **)base;
    for (size_t i = 0; i < n; i++) {
        at = *at;
    }
    struct timespec from, to;
    int slices = 0;
    for (double elapsed_ns = 0; slices < MOST && elapsed_ns < 1e9 * strtod(arguments[2], NULL); slices++) {
        (void)clock_gettime(CLOCK_MONOTONIC, &from);
        for (int i = 0; i < LOADS / 64; i++) {
#pragma GCC unroll 64
            for (int k = 0; k < 64; k++) {
                at = *at;
            }
        }
        (void)clock_gettime(CLOCK_MONOTONIC, &to);
        slice_ns[slices] = 1e9 * (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec);
        elapsed_ns += slice_ns[slices];
    }
    qsort(slice_ns, (size_t)slices, sizeof(double), ascending);
    (void)printf("%.4f\n", slice_ns[slices / 2] / LOADS);
    return at == NULL;
}
