/*
 * conjugate-gradient - 20 steps for the five-point Laplacian on 64 x 64 points, without a stored matrix.
 *
 * Source:      Hestenes and Stiefel (1952), "Methods of conjugate gradients for solving linear systems", J. Res. Nat.
 *              Bur. Standards 49(6).
 * Stresses:    inner products, which wait for each add, and updates of vectors, which do not; a second-level cache.
 * Iteration:   20 x (15 x 4096 + 2) and 16,384 to begin = 1,245,224 floating-point operations; 7,208,960 bytes.
 * Working set: 5 grids of 32 KiB, for the second-level cache.
 * Answer:      the sum of every fifth x_i, counted row by row: 160764.731592.
 */
#include "kernels.h"

#include <string.h>

enum { SIDE = 64, PADDED = SIDE + 2, STEPS = 20, STRIDE = 5 };

static double right[SIDE][SIDE], x[SIDE][SIDE], residual[SIDE][SIDE], product[SIDE][SIDE];
static double direction[PADDED][PADDED];

static bool prepare(double input)
{
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            right[i][j] = 1.0 + input * (double)((7 * i + 13 * j) % 17) / 16.0;
        }
    }
    return true;
}

/* Multiply the direction by the matrix; return its inner product with the result. */
static double multiply(void)
{
    double sum = 0.0;
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            const double here = direction[i + 1][j + 1];
            const double beside = direction[i + 1][j] + direction[i + 1][j + 2];
            product[i][j] = 4.0 * here - (beside + direction[i][j + 1] + direction[i + 2][j + 1]);
            sum += here * product[i][j];
        }
    }
    return sum;
}

/* Go along the direction; return the square of the remaining residual. */
static double go(double length)
{
    double sum = 0.0;
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            x[i][j] += length * direction[i + 1][j + 1];
            residual[i][j] -= length * product[i][j];
            sum += residual[i][j] * residual[i][j];
        }
    }
    return sum;
}

static void turn(double share)
{
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            direction[i + 1][j + 1] = residual[i][j] + share * direction[i + 1][j + 1];
        }
    }
}

static double iterate(void)
{
    memset(x, 0, sizeof x);
    memset(product, 0, sizeof product);
    memset(direction, 0, sizeof direction);
    memcpy(residual, right, sizeof residual);
    double square = 0.0;
    for (int k = 0; k < SIDE * SIDE; k++) {
        square += right[k / SIDE][k % SIDE] * right[k / SIDE][k % SIDE];
    }
    turn(0.0);
    for (int step = 0; step < STEPS; step++) {
        const double left = go(square / multiply());
        turn(left / square);
        square = left;
    }
    double sum = 0.0;
    for (int k = 0; k < SIDE * SIDE; k += STRIDE) {
        sum += x[k / SIDE][k % SIDE];
    }
    return sum;
}

const struct kernel conjugate_gradient = {"conjugate-gradient", prepare, iterate};
