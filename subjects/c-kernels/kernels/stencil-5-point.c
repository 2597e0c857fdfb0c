/*
 * stencil-5-point - 10 steps of explicit heat conduction on 256 x 256 points, edges held.
 *
 * Source:      Courant, Friedrichs and Lewy (1928), "Ueber die partiellen Differenzengleichungen der mathematischen
 *              Physik", Math. Ann. 100: the five-point scheme.
 * Stresses:    loads and adds on neighbors in three rows; the second-level cache and its bandwidth.
 * Iteration:   10 x 65,536 points x 7 = 4,587,520 floating-point operations; 10 x 1,048,576 bytes, and 1,065,024 to
 *              begin again from the same heat.
 * Working set: 3 grids of 520 KiB, two at a time.
 * Answer:      the sum of every fifth inner point: 6554.22171605.
 */
#include "kernels.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 258, INNER = 256, STEPS = 10, STRIDE = 5 };

typedef double grid[SIDE][SIDE];

static grid *given, *now, *next;

static bool prepare(double input)
{
    given = malloc(sizeof(grid));
    now = malloc(sizeof(grid));
    next = malloc(sizeof(grid));
    if (given == NULL || now == NULL || next == NULL) {
        return false;
    }
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            (*given)[i][j] = input * (double)((7 * i + 13 * j) % 17) / 16.0;
        }
    }
    memcpy(next, given, sizeof(grid));
    return true;
}

static void step(const double (*from)[SIDE], double (*to)[SIDE])
{
    const double share = 0.2;
    for (int i = 1; i <= INNER; i++) {
        for (int j = 1; j <= INNER; j++) {
            const double around = from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1];
            to[i][j] = from[i][j] + share * (around - 4.0 * from[i][j]);
        }
    }
}

static double iterate(void)
{
    memcpy(now, given, sizeof(grid));
    for (int done = 0; done < STEPS; done += 2) {
        step((const double(*)[SIDE]) * now, *next);
        step((const double(*)[SIDE]) * next, *now);
    }
    double sum = 0.0;
    for (int k = 0; k < INNER * INNER; k += STRIDE) {
        sum += (*now)[1 + k / INNER][1 + k % INNER];
    }
    return sum;
}

const struct kernel stencil_5_point = {"stencil-5-point", prepare, iterate};
