/*
 * matrix-multiply - C = A B for square matrices of order 128, row by row (i, k, j).
 *
 * Source:      Dongarra, Du Croz, Hammarling and Duff (1990), "A set of level 3 Basic Linear Algebra Subprograms",
 *              ACM TOMS 16(1): DGEMM, here without blocking.
 * Stresses:    floating-point multiply and add, on data that fit into a second-level cache.
 * Iteration:   4,194,304 floating-point operations; 393,216 bytes at least.
 * Working set: 3 matrices of 128 KiB.
 * Answer:      the sum of all elements of C, exact in binary: 393182.636719.
 */
#include "kernels.h"

#include <stdlib.h>
#include <string.h>

enum { ORDER = 128, PAGE = 4096 };

typedef double matrix[ORDER][ORDER];

static matrix *left, *right, *product;

static bool prepare(double input)
{
    left = aligned_alloc(PAGE, sizeof(matrix));
    right = aligned_alloc(PAGE, sizeof(matrix));
    product = aligned_alloc(PAGE, sizeof(matrix));
    if (left == NULL || right == NULL || product == NULL) {
        return false;
    }
    for (int i = 0; i < ORDER; i++) {
        for (int j = 0; j < ORDER; j++) {
            (*left)[i][j] = input * (double)((7 * i + 3 * j) % 13) / 16.0;
            (*right)[i][j] = (double)((5 * i + 11 * j) % 17) / 16.0;
        }
    }
    return true;
}

static double iterate(void)
{
    memset(product, 0, sizeof(matrix));
    for (int i = 0; i < ORDER; i++) {
        for (int k = 0; k < ORDER; k++) {
            const double factor = (*left)[i][k];
            for (int j = 0; j < ORDER; j++) {
                (*product)[i][j] += factor * (*right)[k][j];
            }
        }
    }
    double sum = 0.0;
    for (int i = 0; i < ORDER; i++) {
        for (int j = 0; j < ORDER; j++) {
            sum += (*product)[i][j];
        }
    }
    return sum;
}

const struct kernel matrix_multiply = {"matrix-multiply", prepare, iterate};
