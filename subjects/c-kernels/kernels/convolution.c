/*
 * convolution - a picture of 192 x 192 points, each the weighted sum of 5 x 5 of a larger one.
 *
 * Source:      Rosenfeld (1969), "Picture processing by computer", Academic Press: linear filters of a window.
 * Stresses:    multiply and add with small trip counts, loads that overlap; a second-level cache.
 * Iteration:   36,864 points x 50 = 1,843,200 floating-point operations; 602,240 bytes at least.
 * Working set: 588 KiB, for the second-level cache.
 * Answer:      the sum of (1 + j mod 8) times point (i, j), exact in binary: 133488.207031.
 */
#include "kernels.h"

enum { SIDE = 192, WINDOW = 5, GIVEN = SIDE + WINDOW - 1 };

static double given[GIVEN][GIVEN], made[SIDE][SIDE], weights[WINDOW][WINDOW];

static bool prepare(double input)
{
    for (int i = 0; i < GIVEN; i++) {
        for (int j = 0; j < GIVEN; j++) {
            given[i][j] = input * (double)((7 * i + 13 * j) % 17) / 16.0;
        }
    }
    for (int a = 0; a < WINDOW; a++) {
        for (int b = 0; b < WINDOW; b++) {
            weights[a][b] = (double)(1 + (3 * a + 5 * b) % 7) / 64.0;
        }
    }
    return true;
}

static double point(int i, int j)
{
    double sum = 0.0;
    for (int a = 0; a < WINDOW; a++) {
        for (int b = 0; b < WINDOW; b++) {
            sum += weights[a][b] * given[i + WINDOW - 1 - a][j + WINDOW - 1 - b];
        }
    }
    return sum;
}

static double iterate(void)
{
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            made[i][j] = point(i, j);
        }
    }
    double sum = 0.0;
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            sum += (double)(1 + j % 8) * made[i][j];
        }
    }
    return sum;
}

const struct kernel convolution = {"convolution", prepare, iterate};
