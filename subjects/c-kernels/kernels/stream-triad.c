/*
 * stream-triad - a[i] = b[i] + scalar * c[i] over arrays too large for the caches.
 *
 * Source:      McCalpin (1995), "Memory bandwidth and machine balance in current high performance computers",
 *              IEEE TCCA Newsletter.
 * Stresses:    memory bandwidth; two streams are read, one is written.
 * Iteration:   4,194,304 floating-point operations; 50,331,648 bytes (67,108,864 if a store first reads its line).
 * Working set: 3 arrays of 16 MiB.
 * Answer:      the sum of every 509th a[i]: 90662.
 */
#include "kernels.h"

#include <stddef.h>
#include <stdlib.h>

enum { LENGTH = 2097152, STRIDE = 509, PAGE = 4096 };

static double *a, *b, *c;

static bool prepare(double input)
{
    const size_t size = LENGTH * sizeof(double);
    a = aligned_alloc(PAGE, size);
    b = aligned_alloc(PAGE, size);
    c = aligned_alloc(PAGE, size);
    if (a == NULL || b == NULL || c == NULL) {
        return false;
    }
    for (size_t i = 0; i < LENGTH; i++) {
        a[i] = 0.0;
        b[i] = input * (double)(1 + i % 7);
        c[i] = (double)(i % 13);
    }
    return true;
}

static double iterate(void)
{
    const double scalar = 3.0;
    for (size_t i = 0; i < LENGTH; i++) {
        a[i] = b[i] + scalar * c[i];
    }
    double sum = 0.0;
    for (size_t i = 0; i < LENGTH; i += STRIDE) {
        sum += a[i];
    }
    return sum;
}

const struct kernel stream_triad = {"stream-triad", prepare, iterate};
