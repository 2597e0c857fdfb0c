/*
 * gauss-seidel - 10 sweeps of Poisson's equation on 128 x 128 points, each point with its neighbors' newest values.
 *
 * Source:      Seidel (1874), "Ueber ein Verfahren, die Gleichungen, auf welche die Methode der kleinsten Quadrate
 *              fuehrt, durch successive Annaeherung aufzuloesen", Abh. Bayer. Akad. Wiss. 11; Young (1954), "Iterative
 *              methods for solving partial difference equations of elliptic type", Trans. AMS 76.
 * Stresses:    latency of add and multiply: each point waits for the one before; a second-level cache.
 * Iteration:   10 x 16,384 points x 5 = 819,200 floating-point operations; 10 x 393,216 bytes.
 * Working set: 2 grids of 130 KiB, for the second-level cache.
 * Answer:      the sum of every fifth inner point, counted row by row: 7870.29239554.
 */
#include "kernels.h"

#include <string.h>

enum { INNER = 128, SIDE = INNER + 2, SWEEPS = 10, STRIDE = 5 };

static double u[SIDE][SIDE], f[SIDE][SIDE];

static bool prepare(double input)
{
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            f[i][j] = input * (double)((7 * i + 13 * j) % 17) / 16.0;
        }
    }
    return true;
}

static void sweep(void)
{
    for (int i = 1; i <= INNER; i++) {
        for (int j = 1; j <= INNER; j++) {
            const double others = u[i - 1][j] + u[i + 1][j] + u[i][j + 1] + f[i][j];
            u[i][j] = 0.25 * (others + u[i][j - 1]);
        }
    }
}

static double iterate(void)
{
    memset(u, 0, sizeof u);
    for (int done = 0; done < SWEEPS; done++) {
        sweep();
    }
    double sum = 0.0;
    for (int k = 0; k < INNER * INNER; k += STRIDE) {
        sum += u[1 + k / INNER][1 + k % INNER];
    }
    return sum;
}

const struct kernel gauss_seidel = {"gauss-seidel", prepare, iterate};
