/*
 * linear-recurrence - w_i from all w before it, for 512 of them.
 *
 * Source:      McMahon (1986), "The Livermore Fortran kernels: a computer test of the numerical performance range",
 *              UCRL-53745: kernel 6, general linear recurrence equations; the coefficients stored by rows.
 * Stresses:    latency of add in sums that grow longer, read backwards and forwards at once.
 * Iteration:   130,816 pairs x 2 = 261,632 floating-point operations; 2,093,056 bytes.
 * Working set: 1 MiB of a square of 2 MiB, and 4 KiB, for the second-level cache, or the third if that is small.
 * Answer:      the sum of all w_i: 641.949073027.
 */
#include "kernels.h"

enum { LENGTH = 512 };

static double b[LENGTH][LENGTH], w[LENGTH];

static bool prepare(double input)
{
    for (int i = 0; i < LENGTH; i++) {
        for (int k = 0; k < LENGTH; k++) {
            b[i][k] = input * (double)(1 + (7 * i + 3 * k) % 13) / 8192.0;
        }
    }
    return true;
}

static double iterate(void)
{
    for (int i = 0; i < LENGTH; i++) {
        double sum = 1.0;
        for (int k = 0; k < i; k++) {
            sum += b[i][k] * w[i - k - 1];
        }
        w[i] = sum;
    }
    double sum = 0.0;
    for (int i = 0; i < LENGTH; i++) {
        sum += w[i];
    }
    return sum;
}

const struct kernel linear_recurrence = {"linear-recurrence", prepare, iterate};
