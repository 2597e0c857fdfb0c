/* memory_chase BYTES SECONDS - the time of a load that waits for the one before it, in ns, for benches.bench_memory. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int count, char **arguments)
{
    const size_t n = count == 3 ? strtoull(arguments[1], NULL, 10) / 256 : 0;
    char *const base = n > 1 ? aligned_alloc(4096, n * 256) : NULL;
    size_t *const next = n > 1 ? malloc(n * sizeof(size_t)) : NULL;
    if (base == NULL || next == NULL) {
        return 2;
    }
    uint64_t random = 88172645463325252U, loads = 0;
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
    (void)clock_gettime(CLOCK_MONOTONIC, &from);
    double elapsed_ns = 0;
    for (; elapsed_ns < 1e9 * strtod(arguments[2], NULL); loads += 65536) {
        for (int i = 0; i < 1024; i++) {
#pragma GCC unroll 64
            for (int k = 0; k < 64; k++) {
                at = *at;
            }
        }
        (void)clock_gettime(CLOCK_MONOTONIC, &to);
        elapsed_ns = 1e9 * (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec);
    }
    (void)printf("%.4f\n", elapsed_ns / (double)loads);
    return at == NULL;
}
