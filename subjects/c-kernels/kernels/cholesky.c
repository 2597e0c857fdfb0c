/*
 * cholesky - A = L L^T for a symmetric positive definite matrix of order 160, row by row.
 *
 * Source:      Benoit (1924), "Note sur une methode de resolution des equations normales (Procede du Commandant
 *              Cholesky)", Bull. geodesique 2.
 * Stresses:    latency of add in inner products of rows, a division for each element, a second-level cache.
 * Iteration:   1,378,160 floating-point operations, of them 12,720 divisions and 160 square roots; 206,080 bytes at
 *              least.
 * Working set: 2 matrices of 200 KiB, a triangle of each, for the second-level cache.
 * Answer:      the sum of (1 + i mod 8) l_ij over the triangle: 2195.90359363.
 */
#include "kernels.h"

#include <math.h>
#include <stdlib.h>

enum { ORDER = 160 };

static double a[ORDER][ORDER], l[ORDER][ORDER];

static bool prepare(double input)
{
    for (int i = 0; i < ORDER; i++) {
        for (int j = 0; j < ORDER; j++) {
            a[i][j] = 1.0 / (double)(1 + abs(i - j));
        }
        a[i][i] += input;
    }
    return true;
}

static double rest(int i, int j)
{
    double left = a[i][j];
    for (int k = 0; k < j; k++) {
        left -= l[i][k] * l[j][k];
    }
    return left;
}

static double iterate(void)
{
    for (int i = 0; i < ORDER; i++) {
        for (int j = 0; j < i; j++) {
            l[i][j] = rest(i, j) / l[j][j];
        }
        l[i][i] = sqrt(rest(i, i));
    }
    double sum = 0.0;
    for (int i = 0; i < ORDER; i++) {
        for (int j = 0; j <= i; j++) {
            sum += (double)(1 + i % 8) * l[i][j];
        }
    }
    return sum;
}

const struct kernel cholesky = {"cholesky", prepare, iterate};
