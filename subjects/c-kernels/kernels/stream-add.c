/*
 * stream-add - c[i] = a[i] + b[i] over arrays too large for the caches.
 *
 * Source:      McCalpin (1995), "Memory bandwidth and machine balance in current high performance computers",
 *              IEEE TCCA Newsletter.
 * Stresses:    memory bandwidth; two streams are read, one is written.
 * Iteration:   2,097,152 floating-point operations; 50,331,648 bytes (67,108,864 if a store first reads its line).
 * Working set: 3 arrays of 16 MiB, for memory.
 * Answer:      the sum of every 509th c[i]: 41210.
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
        a[i] = input * (double)(1 + i % 7);
        b[i] = (double)(i % 13);
        c[i] = 0.0;
    }
    return true;
}

static double iterate(void)
{
    for (size_t i = 0; i < LENGTH; i++) {
        c[i] = a[i] + b[i];
    }
    double sum = 0.0;
    for (size_t i = 0; i < LENGTH; i += STRIDE) {
        sum += c[i];
    }
    return sum;
}

const struct kernel stream_add = {"stream-add", prepare, iterate};
