/*
 * tridiagonal-solve - 32768 equations with three unknowns each, forward elimination and back substitution.
 *
 * Source:      Thomas (1949), "Elliptic problems in linear differential equations over a network", Watson Scientific
 *              Computing Laboratory; its first half is kernel 5 of McMahon (1986), "The Livermore Fortran kernels".
 * Stresses:    latency of division, then of multiply and add: each step waits for the one before.
 * Iteration:   294,906 floating-point operations, of them 32,768 divisions; 2,359,296 bytes.
 * Working set: 6 arrays of 256 KiB, for the second-level cache, or the third if that is small.
 * Answer:      the sum of every fifth x_i: 19132.5009287.
 */
#include "kernels.h"

enum { LENGTH = 32768, STRIDE = 5 };

static double below[LENGTH], diagonal[LENGTH], above[LENGTH], right[LENGTH];
static double shares[LENGTH], x[LENGTH];

static bool prepare(double input)
{
    for (int i = 0; i < LENGTH; i++) {
        below[i] = -(double)(1 + i % 3) / 4.0;
        diagonal[i] = 2.0 + input * (double)(i % 5) / 4.0;
        above[i] = -(double)(1 + i % 4) / 8.0;
        right[i] = (double)(1 + i % 7);
    }
    return true;
}

static double iterate(void)
{
    const double first = 1.0 / diagonal[0];
    shares[0] = above[0] * first;
    x[0] = right[0] * first;
    for (int i = 1; i < LENGTH; i++) {
        const double inverse = 1.0 / (diagonal[i] - below[i] * shares[i - 1]);
        shares[i] = above[i] * inverse;
        x[i] = (right[i] - below[i] * x[i - 1]) * inverse;
    }
    for (int i = LENGTH - 2; i >= 0; i--) {
        x[i] -= shares[i] * x[i + 1];
    }
    double sum = 0.0;
    for (int i = 0; i < LENGTH; i += STRIDE) {
        sum += x[i];
    }
    return sum;
}

const struct kernel tridiagonal_solve = {"tridiagonal-solve", prepare, iterate};
