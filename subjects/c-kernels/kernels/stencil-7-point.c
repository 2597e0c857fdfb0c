/*
 * stencil-7-point - 2 steps of explicit heat conduction on 64 x 64 x 64 points, faces held.
 *
 * Source:      Courant, Friedrichs and Lewy (1928), "Ueber die partiellen Differenzengleichungen der mathematischen
 *              Physik", Math. Ann. 100: the scheme of three dimensions; Datta et al. (2008), "Stencil computation
 *              optimization and auto-tuning on state-of-the-art multicore architectures", SC'08.
 * Stresses:    loads from three planes, the third-level cache and its bandwidth.
 * Iteration:   2 x 262,144 points x 9 = 4,718,592 floating-point operations; 2 x 4,194,304 bytes.
 * Working set: 3 grids of 2.2 MiB, two at a time, for the third-level cache.
 * Answer:      the sum of every fifth inner point, counted plane by plane: 26215.796875.
 */
#include "kernels.h"

#include <stdlib.h>
#include <string.h>

enum { INNER = 64, SIDE = INNER + 2, STRIDE = 5 };

typedef double plane[SIDE][SIDE];

static plane *given, *halfway, *last;

static bool prepare(double input)
{
    const size_t size = SIDE * sizeof(plane);
    given = malloc(size);
    halfway = malloc(size);
    last = malloc(size);
    if (given == NULL || halfway == NULL || last == NULL) {
        return false;
    }
    for (int k = 0; k < SIDE * SIDE * SIDE; k++) {
        const int i = k / SIDE / SIDE;
        const int j = k / SIDE % SIDE;
        given[i][j][k % SIDE] = input * (double)((7 * i + 13 * j + 5 * (k % SIDE)) % 17) / 16.0;
    }
    memcpy(halfway, given, size);
    memcpy(last, given, size);
    return true;
}

static void step_row(const double (*below)[SIDE], const double (*from)[SIDE], const double (*above)[SIDE], double *to)
{
    const double share = 0.125;
    for (int k = 1; k <= INNER; k++) {
        const double around = below[0][k] + above[0][k] + from[-1][k] + from[1][k] + from[0][k - 1] + from[0][k + 1];
        to[k] = from[0][k] + share * (around - 6.0 * from[0][k]);
    }
}

static void step(const plane *from, plane *to)
{
    for (int i = 1; i <= INNER; i++) {
        for (int j = 1; j <= INNER; j++) {
            step_row(&from[i - 1][j], &from[i][j], &from[i + 1][j], to[i][j]);
        }
    }
}

static double iterate(void)
{
    step((const plane *)given, halfway);
    step((const plane *)halfway, last);
    double sum = 0.0;
    for (int k = 0; k < INNER * INNER * INNER; k += STRIDE) {
        sum += last[1 + k / INNER / INNER][1 + k / INNER % INNER][1 + k % INNER];
    }
    return sum;
}

const struct kernel stencil_7_point = {"stencil-7-point", prepare, iterate};
