/*
 * qr-decomposition - A = Q R for a square matrix of order 96 by Householder's reflections, stored by columns.
 *
 * Source:      Householder (1958), "Unitary triangularization of a nonsymmetric matrix", J. ACM 5(4).
 * Stresses:    inner products and multiples of columns in turn, from a second-level cache.
 * Iteration:   1,193,770 floating-point operations; 147,456 bytes copied.
 * Working set: 2 matrices of 72 KiB, for the second-level cache.
 * Answer:      the sum of (1 + i mod 8) r_ij^2 over the triangle: 3353.70265646.
 */
#include "draws.h"
#include "kernels.h"

#include <math.h>
#include <string.h>

enum { ORDER = 96 };

/* Column by column: columns[j][i] is a_ij. */
static double given[ORDER][ORDER], columns[ORDER][ORDER];

static bool prepare(double input)
{
    uint64_t state = FIRST_STATE;
    for (int j = 0; j < ORDER; j++) {
        for (int i = 0; i < ORDER; i++) {
            given[j][i] = input * draw(&state) - 0.5;
        }
    }
    return true;
}

static double product(const double *left, const double *right, int from)
{
    double sum = 0.0;
    for (int i = from; i < ORDER; i++) {
        sum += left[i] * right[i];
    }
    return sum;
}

/* Reflect the columns from k on so that column k is zero below its k-th element. */
static void reflect(int k)
{
    double *const normal = columns[k];
    const double corner = -copysign(sqrt(product(normal, normal, k)), normal[k]);
    const double half_square = corner * (corner - normal[k]);
    normal[k] -= corner;
    for (int j = k + 1; j < ORDER; j++) {
        const double share = product(normal, columns[j], k) / half_square;
        for (int i = k; i < ORDER; i++) {
            columns[j][i] -= share * normal[i];
        }
    }
    normal[k] = corner;
}

static double iterate(void)
{
    memcpy(columns, given, sizeof columns);
    for (int k = 0; k < ORDER - 1; k++) {
        reflect(k);
    }
    double sum = 0.0;
    for (int j = 0; j < ORDER; j++) {
        for (int i = 0; i <= j; i++) {
            sum += (double)(1 + i % 8) * columns[j][i] * columns[j][i];
        }
    }
    return sum;
}

const struct kernel qr_decomposition = {"qr-decomposition", prepare, iterate};
