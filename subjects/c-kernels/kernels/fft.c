/*
 * fft - the discrete Fourier transform of 16384 complex points, radix 2, in place.
 *
 * Source:      Cooley and Tukey (1965), "An algorithm for the machine calculation of complex Fourier series",
 *              Math. Comp. 19: decimation in time, after a bit reversal.
 * Stresses:    floating-point add and multiply with strides of every power of two, inside a second-level cache.
 * Iteration:   5 N log2 N = 1,146,880 floating-point operations; 262,144 bytes copied.
 * Working set: two arrays of 256 KiB, 128 KiB of roots of unity, 64 KiB of indexes.
 * Answer:      the sum of (1 + k mod 8) |X_k|^2 / N over every fifth k: 5001.8573567.
 */
#include "kernels.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { BITS = 14, LENGTH = 1 << BITS, STRIDE = 5, PAGE = 4096 };

struct point {
    double re, im;
};

static struct point *given, *work, *roots;
static uint32_t *reversed;

static bool prepare(double input)
{
    const double turn = 2.0 * acos(-1.0);
    given = aligned_alloc(PAGE, LENGTH * sizeof(struct point));
    work = aligned_alloc(PAGE, LENGTH * sizeof(struct point));
    roots = aligned_alloc(PAGE, LENGTH / 2 * sizeof(struct point));
    reversed = aligned_alloc(PAGE, LENGTH * sizeof(uint32_t));
    if (given == NULL || work == NULL || roots == NULL || reversed == NULL) {
        return false;
    }
    reversed[0] = 0;
    for (uint32_t i = 0; i < LENGTH; i++) {
        given[i].re = input * (double)((37 * i) % 101) / 101.0 - 0.5;
        given[i].im = (double)((53 * i) % 97) / 97.0;
        reversed[i] = (reversed[i / 2] / 2) | ((i & 1) << (BITS - 1));
    }
    for (uint32_t i = 0; i < LENGTH / 2; i++) {
        roots[i].re = cos(turn * (double)i / LENGTH);
        roots[i].im = -sin(turn * (double)i / LENGTH);
    }
    return true;
}

static void butterflies(uint32_t half)
{
    const uint32_t step = LENGTH / 2 / half;
    for (uint32_t start = 0; start < LENGTH; start += 2 * half) {
        for (uint32_t i = 0; i < half; i++) {
            struct point *const low = &work[start + i];
            struct point *const high = &work[start + i + half];
            const struct point root = roots[i * step];
            const double re = high->re * root.re - high->im * root.im;
            const double im = high->re * root.im + high->im * root.re;
            high->re = low->re - re;
            high->im = low->im - im;
            low->re += re;
            low->im += im;
        }
    }
}

static double iterate(void)
{
    for (uint32_t i = 0; i < LENGTH; i++) {
        work[i] = given[reversed[i]];
    }
    for (uint32_t half = 1; half < LENGTH; half *= 2) {
        butterflies(half);
    }
    double sum = 0.0;
    for (uint32_t k = 0; k < LENGTH; k += STRIDE) {
        sum += (double)(1 + k % 8) * (work[k].re * work[k].re + work[k].im * work[k].im);
    }
    return sum / LENGTH;
}

const struct kernel fft = {"fft", prepare, iterate};
