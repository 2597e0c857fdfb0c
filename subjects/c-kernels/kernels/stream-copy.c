/*
 * stream-copy - c[i] = a[i] over arrays too large for the caches.
 *
 * Source:      McCalpin (1995), "Memory bandwidth and machine balance in current high performance computers",
 *              IEEE TCCA Newsletter.
 * Stresses:    memory bandwidth; one stream is read, one is written. A compiler may call memcpy for it, which writes
 *              past the caches if the arrays are large.
 * Iteration:   no floating-point operation; 33,554,432 bytes (50,331,648 if a store first reads its line).
 * Working set: 2 arrays of 16 MiB, for memory.
 * Answer:      the sum of every 509th c[i]: 16484.
 */
#include "kernels.h"

#include <stddef.h>
#include <stdlib.h>

enum { LENGTH = 2097152, STRIDE = 509, PAGE = 4096 };

static double *a, *c;

static bool prepare(double input)
{
    const size_t size = LENGTH * sizeof(double);
    a = aligned_alloc(PAGE, size);
    c = aligned_alloc(PAGE, size);
    if (a == NULL || c == NULL) {
        return false;
    }
    for (size_t i = 0; i < LENGTH; i++) {
        a[i] = input * (double)(1 + i % 7);
        c[i] = 0.0;
    }
    return true;
}

static double iterate(void)
{
    for (size_t i = 0; i < LENGTH; i++) {
        c[i] = a[i];
    }
    double sum = 0.0;
    for (size_t i = 0; i < LENGTH; i += STRIDE) {
        sum += c[i];
    }
    return sum;
}

const struct kernel stream_copy = {"stream-copy", prepare, iterate};
