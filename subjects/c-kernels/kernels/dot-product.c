/*
 * dot-product - inner products of vectors of 8192, 100 of them, each from another place of x.
 *
 * Source:      Lawson, Hanson, Kincaid and Krogh (1979), "Basic Linear Algebra Subprograms for Fortran usage",
 *              ACM TOMS 5(3): DDOT; McMahon (1986), "The Livermore Fortran kernels", UCRL-53745: kernel 3.
 * Stresses:    latency of add, as the order of the sum is kept; loads from a second-level cache.
 * Iteration:   1,638,400 floating-point operations; 13,107,200 bytes.
 * Working set: 2 vectors of 64 KiB, for the second-level cache.
 * Answer:      the sum of the inner products, exact in binary: 230390.652344.
 */
#include "kernels.h"

enum { LENGTH = 8192, TIMES = 100 };

static double x[LENGTH + TIMES], y[LENGTH];

static bool prepare(double input)
{
    for (int i = 0; i < LENGTH + TIMES; i++) {
        x[i] = input * (double)((7 * i) % 17) / 16.0;
    }
    for (int i = 0; i < LENGTH; i++) {
        y[i] = (double)((5 * i + 3) % 19) / 16.0;
    }
    return true;
}

static double product(const double *left, const double *right)
{
    double sum = 0.0;
    for (int i = 0; i < LENGTH; i++) {
        sum += left[i] * right[i];
    }
    return sum;
}

static double iterate(void)
{
    double sum = 0.0;
    for (int time = 0; time < TIMES; time++) {
        sum += product(x + time, y);
    }
    return sum;
}

const struct kernel dot_product = {"dot-product", prepare, iterate};
