/*
 * hydro-fragment - x_k = q + y_k (r z_(k+10) + t z_(k+11)) for 1000 places, 1000 times with another q.
 *
 * Source:      McMahon (1986), "The Livermore Fortran kernels: a computer test of the numerical performance range",
 *              UCRL-53745: kernel 1.
 * Stresses:    multiply and add without dependence, on data of a first-level cache.
 * Iteration:   1000 x 1000 x 5 = 5,000,000 floating-point operations; 24,000,000 bytes.
 * Working set: 3 arrays of 8 KiB, for the first-level cache.
 * Answer:      the sum of x_(37 s mod 1000) after the s-th time, exact in binary: 1995.08203125.
 */
#include "kernels.h"

enum { LENGTH = 1000, AHEAD = 11, TIMES = 1000 };

static double x[LENGTH], y[LENGTH], z[LENGTH + AHEAD];
static double r, t;

static bool prepare(double input)
{
    r = 0.25 * input;
    t = 0.125;
    for (int k = 0; k < LENGTH; k++) {
        x[k] = 0.0;
        y[k] = (double)((5 * k) % 11) / 16.0;
    }
    for (int k = 0; k < LENGTH + AHEAD; k++) {
        z[k] = (double)((7 * k) % 13) / 16.0;
    }
    return true;
}

static void fragment(double q)
{
    for (int k = 0; k < LENGTH; k++) {
        x[k] = q + y[k] * (r * z[k + 10] + t * z[k + 11]);
    }
}

static double iterate(void)
{
    double sum = 0.0;
    for (int time = 0; time < TIMES; time++) {
        fragment((double)time / 256.0);
        sum += x[(37 * time) % LENGTH];
    }
    return sum;
}

const struct kernel hydro_fragment = {"hydro-fragment", prepare, iterate};
