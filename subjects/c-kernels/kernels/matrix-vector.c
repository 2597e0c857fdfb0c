/*
 * matrix-vector - y = A x for a square matrix of order 1024, stored and added up by columns.
 *
 * Source:      Dongarra, Du Croz, Hammarling and Hanson (1988), "An extended set of Fortran Basic Linear Algebra
 *              Subprograms", ACM TOMS 14(1): DGEMV.
 * Stresses:    bandwidth of a third-level cache; each element of A is used once.
 * Iteration:   2,097,152 floating-point operations; 8,404,992 bytes at least.
 * Working set: 8 MiB, and 16 KiB for the vectors, for the third-level cache.
 * Answer:      the sum of (1 + i mod 8) y_i, exact in binary: 552415.097656.
 */
#include "kernels.h"

#include <stdlib.h>
#include <string.h>

enum { ORDER = 1024, PAGE = 4096 };

static double (*columns)[ORDER];
static double x[ORDER], y[ORDER];

static bool prepare(double input)
{
    columns = aligned_alloc(PAGE, ORDER * sizeof *columns);
    if (columns == NULL) {
        return false;
    }
    for (int j = 0; j < ORDER; j++) {
        for (int i = 0; i < ORDER; i++) {
            columns[j][i] = input * (double)((7 * i + 3 * j) % 13) / 16.0;
        }
        x[j] = (double)((5 * j) % 11) / 16.0;
    }
    return true;
}

static double iterate(void)
{
    memset(y, 0, sizeof y);
    for (int j = 0; j < ORDER; j++) {
        const double factor = x[j];
        for (int i = 0; i < ORDER; i++) {
            y[i] += factor * columns[j][i];
        }
    }
    double sum = 0.0;
    for (int i = 0; i < ORDER; i++) {
        sum += (double)(1 + i % 8) * y[i];
    }
    return sum;
}

const struct kernel matrix_vector = {"matrix-vector", prepare, iterate};
