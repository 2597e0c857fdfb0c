/*
 * sparse-matrix-vector - 10 steps of Richardson's iteration with the Laplacian of 128 x 128 points in rows (CRS).
 *
 * Source:      Richardson (1911), "The approximate arithmetical solution by finite differences of physical problems",
 *              Phil. Trans. R. Soc. A 210; the storage of Barrett et al. (1994), "Templates for the solution of linear
 *              systems", section 4.3.1.
 * Stresses:    indexed loads, short inner loops, the second-level cache.
 * Iteration:   10 x (2 x 81,408 + 3 x 16,384) = 2,119,680 floating-point operations; 10 x 1,828,864 bytes.
 * Working set: 1.4 MB.
 * Answer:      the sum of every fifth x_i: 25706.2514856.
 */
#include "kernels.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 128, ROWS = SIDE * SIDE, MOST = 5 * ROWS, STEPS = 10, STRIDE = 5, PAGE = 4096 };

static double *values, *right, *x, *product;
static int32_t *columns, *starts;

static int32_t add(int32_t count, int32_t column, double value)
{
    columns[count] = column;
    values[count] = value;
    return count + 1;
}

static void fill_matrix(void)
{
    int32_t count = 0;
    for (int32_t row = 0; row < ROWS; row++) {
        const int32_t i = row / SIDE;
        const int32_t j = row % SIDE;
        starts[row] = count;
        count = i > 0 ? add(count, row - SIDE, -1.0) : count;
        count = j > 0 ? add(count, row - 1, -1.0) : count;
        count = add(count, row, 4.0);
        count = j < SIDE - 1 ? add(count, row + 1, -1.0) : count;
        count = i < SIDE - 1 ? add(count, row + SIDE, -1.0) : count;
    }
    starts[ROWS] = count;
}

static bool prepare(double input)
{
    values = aligned_alloc(PAGE, MOST * sizeof(double));
    columns = aligned_alloc(PAGE, MOST * sizeof(int32_t));
    starts = malloc((ROWS + 1) * sizeof(int32_t));
    right = aligned_alloc(PAGE, ROWS * sizeof(double));
    x = aligned_alloc(PAGE, ROWS * sizeof(double));
    product = aligned_alloc(PAGE, ROWS * sizeof(double));
    if (values == NULL || columns == NULL || starts == NULL || right == NULL || x == NULL || product == NULL) {
        return false;
    }
    fill_matrix();
    for (int32_t row = 0; row < ROWS; row++) {
        right[row] = input * (double)(1 + row % 7);
    }
    return true;
}

static void multiply(void)
{
    for (int32_t row = 0; row < ROWS; row++) {
        double sum = 0.0;
        for (int32_t k = starts[row]; k < starts[row + 1]; k++) {
            sum += values[k] * x[columns[k]];
        }
        product[row] = sum;
    }
}

static double iterate(void)
{
    const double share = 0.2;
    memset(x, 0, ROWS * sizeof(double));
    for (int step = 0; step < STEPS; step++) {
        multiply();
        for (int32_t row = 0; row < ROWS; row++) {
            x[row] += share * (right[row] - product[row]);
        }
    }
    double sum = 0.0;
    for (int32_t row = 0; row < ROWS; row += STRIDE) {
        sum += x[row];
    }
    return sum;
}

const struct kernel sparse_matrix_vector = {"sparse-matrix-vector", prepare, iterate};
