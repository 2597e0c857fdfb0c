/*
 * stream-scale - b[i] = scalar * c[i] over arrays too large for the caches.
 *
 * Source:      McCalpin (1995), "Memory bandwidth and machine balance in current high performance computers",
 *              IEEE TCCA Newsletter.
 * Stresses:    memory bandwidth; one stream is read, one is written.
 * Iteration:   2,097,152 floating-point operations; 33,554,432 bytes (50,331,648 if a store first reads its line).
 * Working set: 2 arrays of 16 MiB, for memory.
 * Answer:      the sum of every 509th b[i]: 74178.
 */
#include "kernels.h"

#include <stddef.h>
#include <stdlib.h>

enum { LENGTH = 2097152, STRIDE = 509, PAGE = 4096 };

static double *b, *c;

static bool prepare(double input)
{
    const size_t size = LENGTH * sizeof(double);
    b = aligned_alloc(PAGE, size);
    c = aligned_alloc(PAGE, size);
    if (b == NULL || c == NULL) {
        return false;
    }
    for (size_t i = 0; i < LENGTH; i++) {
        b[i] = 0.0;
        c[i] = input * (double)(i % 13);
    }
    return true;
}

static double iterate(void)
{
    const double scalar = 3.0;
    for (size_t i = 0; i < LENGTH; i++) {
        b[i] = scalar * c[i];
    }
    double sum = 0.0;
    for (size_t i = 0; i < LENGTH; i += STRIDE) {
        sum += b[i];
    }
    return sum;
}

const struct kernel stream_scale = {"stream-scale", prepare, iterate};
