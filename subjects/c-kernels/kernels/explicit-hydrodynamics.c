/*
 * explicit-hydrodynamics - 5 steps of a fluid on 64 x 64 cells that move with it, edges held.
 *
 * Source:      McMahon (1986), "The Livermore Fortran kernels: a computer test of the numerical performance range",
 *              UCRL-53745: kernel 18, two-dimensional explicit hydrodynamics.
 * Stresses:    many streams at once, division, data of a second-level cache.
 * Iteration:   5 x 4096 cells x 44 = 901,120 floating-point operations, of them 40,960 divisions; 139,392 bytes copied
 *              to begin again from the same fluid.
 * Working set: 13 grids of 34 KiB, 9 in each step, for the second-level cache.
 * Answer:      the sum of u^2 + v^2 over every fifth inner cell, counted row by row: 3443.04513558.
 */
#include "kernels.h"

enum { INNER = 64, SIDE = INNER + 2, STEPS = 5, STRIDE = 5 };

static const double SPEED_SHARE = 0.015625;
static const double PLACE_SHARE = 0.015625;

typedef double grid[SIDE][SIDE];

/* The positions (r, z) and velocities (u, v) of the corners of the cells. */
struct motion {
    grid r, z, u, v;
};

static struct motion given, now;
static grid pressure, viscosity, mass, across, upward;

static bool prepare(double input)
{
    for (int k = 0; k < SIDE; k++) {
        for (int j = 0; j < SIDE; j++) {
            pressure[k][j] = (double)(1 + (7 * k + 13 * j) % 17) / 16.0;
            viscosity[k][j] = input * (double)((5 * k + 3 * j) % 11) / 32.0;
            mass[k][j] = 1.0 + (double)((3 * k + 5 * j) % 7) / 8.0;
            given.r[k][j] = (double)j + (double)(k % 5) / 8.0;
            given.z[k][j] = (double)k + (double)(j % 7) / 8.0;
            given.u[k][j] = 0.0;
            given.v[k][j] = 0.0;
            across[k][j] = 0.0;
            upward[k][j] = 0.0;
        }
    }
    return true;
}

static void push(int k)
{
    const double(*const p)[SIDE] = (const double(*)[SIDE])pressure;
    const double(*const q)[SIDE] = (const double(*)[SIDE])viscosity;
    for (int j = 1; j <= INNER; j++) {
        const double along_k = p[k + 1][j - 1] + q[k + 1][j - 1] - p[k][j - 1] - q[k][j - 1];
        const double along_j = p[k][j - 1] + q[k][j - 1] - p[k][j] - q[k][j];
        across[k][j] = along_k * (now.r[k][j] + now.r[k][j - 1]) / (mass[k][j - 1] + mass[k + 1][j - 1]);
        upward[k][j] = along_j * (now.r[k][j] + now.r[k - 1][j]) / (mass[k][j] + mass[k][j - 1]);
    }
}

/* The acceleration of a cell along an axis, from the positions on it. */
static double speed_up(const double (*place)[SIDE], int k, int j)
{
    const double here = place[k][j];
    return SPEED_SHARE * (across[k][j] * (here - place[k][j + 1]) - across[k][j - 1] * (here - place[k][j - 1]) -
                          upward[k][j] * (here - place[k - 1][j]) + upward[k + 1][j] * (here - place[k + 1][j]));
}

static void step(void)
{
    for (int k = 1; k <= INNER; k++) {
        push(k);
    }
    for (int k = 1; k <= INNER; k++) {
        for (int j = 1; j <= INNER; j++) {
            now.u[k][j] += speed_up((const double(*)[SIDE])now.z, k, j);
            now.v[k][j] += speed_up((const double(*)[SIDE])now.r, k, j);
        }
    }
    for (int k = 1; k <= INNER; k++) {
        for (int j = 1; j <= INNER; j++) {
            now.r[k][j] += PLACE_SHARE * now.u[k][j];
            now.z[k][j] += PLACE_SHARE * now.v[k][j];
        }
    }
}

static double iterate(void)
{
    now = given;
    for (int done = 0; done < STEPS; done++) {
        step();
    }
    double sum = 0.0;
    for (int k = 0; k < INNER * INNER; k += STRIDE) {
        const double u = now.u[1 + k / INNER][1 + k % INNER];
        const double v = now.v[1 + k / INNER][1 + k % INNER];
        sum += u * u + v * v;
    }
    return sum;
}

const struct kernel explicit_hydrodynamics = {"explicit-hydrodynamics", prepare, iterate};
