/*
 * lu-decomposition - A x = b for a dense matrix of order 128: P A = L U with row interchanges, then two triangles.
 *
 * Source:      Wilkinson (1961), "Error analysis of direct methods of matrix inversion", J. ACM 8(3): Gaussian
 *              elimination with partial pivoting.
 * Stresses:    multiply and add on rows that grow shorter, a search for the largest, data in a second-level cache.
 * Iteration:   1,389,888 floating-point operations to factor, 32,640 to solve; 262,144 bytes copied.
 * Working set: 2 matrices of 128 KiB, for the second-level cache.
 * Answer:      the sum of (1 + i mod 8) x_i^2: 2725984.83427.
 */
#include "draws.h"
#include "kernels.h"

#include <math.h>
#include <string.h>

enum { ORDER = 128 };

static double given[ORDER][ORDER], a[ORDER][ORDER], x[ORDER];

static bool prepare(double input)
{
    uint64_t state = FIRST_STATE;
    for (int i = 0; i < ORDER; i++) {
        for (int j = 0; j < ORDER; j++) {
            given[i][j] = input * draw(&state) - 0.5;
        }
    }
    return true;
}

/* Bring the row with the largest element of a column to the diagonal. */
static void pivot(int column)
{
    int best = column;
    for (int i = column + 1; i < ORDER; i++) {
        if (fabs(a[i][column]) > fabs(a[best][column])) {
            best = i;
        }
    }
    if (best == column) {
        return;
    }
    for (int j = 0; j < ORDER; j++) {
        const double kept = a[column][j];
        a[column][j] = a[best][j];
        a[best][j] = kept;
    }
    const double kept = x[column];
    x[column] = x[best];
    x[best] = kept;
}

static void eliminate(int column)
{
    for (int i = column + 1; i < ORDER; i++) {
        const double factor = a[i][column] / a[column][column];
        a[i][column] = factor;
        for (int j = column + 1; j < ORDER; j++) {
            a[i][j] -= factor * a[column][j];
        }
    }
}

static void solve(void)
{
    for (int i = 0; i < ORDER; i++) {
        for (int j = 0; j < i; j++) {
            x[i] -= a[i][j] * x[j];
        }
    }
    for (int i = ORDER - 1; i >= 0; i--) {
        for (int j = i + 1; j < ORDER; j++) {
            x[i] -= a[i][j] * x[j];
        }
        x[i] /= a[i][i];
    }
}

static double iterate(void)
{
    memcpy(a, given, sizeof a);
    for (int i = 0; i < ORDER; i++) {
        x[i] = (double)(1 + i % 7);
    }
    for (int column = 0; column < ORDER - 1; column++) {
        pivot(column);
        eliminate(column);
    }
    solve();
    double sum = 0.0;
    for (int i = 0; i < ORDER; i++) {
        sum += (double)(1 + i % 8) * x[i] * x[i];
    }
    return sum;
}

const struct kernel lu_decomposition = {"lu-decomposition", prepare, iterate};
