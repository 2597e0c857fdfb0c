/*
 * memory_stream - copy, scale, add and triad in plain C, for benches.bench_memory alone.
 *
 *     memory_stream BYTES SECONDS
 *
 * The operations, their order and the counting of bytes are those that McCalpin describes for STREAM; the code is ours.
 * Prints, for each operation, the bytes per second of the pass in the middle.
 * Answer: every array's last value, known after so many rounds; 1 where it is not that.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 4096, LEAST = 10 };

static double *a, *b, *c;
static double times[4][MOST];

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* 2 S + S S = 1: the values stay where they are, however many rounds are made. */
static const double S = 0.41421356237309503;

static void step(int which, size_t n)
{
    double *restrict const x = a, *restrict const y = b, *restrict const z = c;
    switch (which) {
    case 0:
        for (size_t i = 0; i < n; i++) {
            z[i] = x[i];
        }
        break;
    case 1:
        for (size_t i = 0; i < n; i++) {
            y[i] = S * z[i];
        }
        break;
    case 2:
        for (size_t i = 0; i < n; i++) {
            z[i] = x[i] + y[i];
        }
        break;
    default:
        for (size_t i = 0; i < n; i++) {
            x[i] = y[i] + S * z[i];
        }
    }
}

static int ascending(const void *one, const void *other)
{
    const double x = *(const double *)one, y = *(const double *)other;
    return (x > y) - (x < y);
}

int main(int count, char **arguments)
{
    const size_t n = count == 3 ? strtoull(arguments[1], NULL, 10) / 24 / 64 * 64 : 0;
    const double seconds = count == 3 ? strtod(arguments[2], NULL) : 0.0;
    static const char *const names[] = {"copy", "scale", "add", "triad"};
    static const double bytes[] = {16, 16, 24, 24};
    double **const arrays[] = {&a, &b, &c};
    int rounds = 0;
    for (size_t k = 0; k < 3 && n > 0; k++) {
        *arrays[k] = aligned_alloc(64, n * sizeof(double));
        for (size_t i = 0; *arrays[k] != NULL && i < n; i++) {
            (*arrays[k])[i] = (double)(k + 1);
        }
    }
    if (n == 0 || a == NULL || b == NULL || c == NULL) {
        (void)fprintf(stderr, "usage: memory_stream BYTES SECONDS\n");
        return 2;
    }
    double x = 1, y = 2, z = 3;
    for (const double from = now(); rounds < MOST && (rounds < LEAST || now() - from < 4 * seconds); rounds++) {
        for (int which = 0; which < 4; which++) {
            const double before = now();
            step(which, n);
            times[which][rounds] = now() - before;
        }
        z = x;
        y = S * z;
        z = x + y;
        x = y + S * z;
    }
    for (int which = 0; which < 4; which++) {
        /* The first round does not count. */
        qsort(times[which] + 1, (size_t)rounds - 1, sizeof(double), ascending);
        (void)printf("%s %.0f\n", names[which], bytes[which] * (double)n / times[which][rounds / 2]);
    }
    return a[n - 1] == x && b[n - 1] == y && c[n - 1] == z ? 0 : 1;
}
