/*
 * n-body - 64 bodies under their own gravity, every pair, 20 steps of leapfrog.
 *
 * Source:      Aarseth (1963), "Dynamical evolution of clusters of galaxies, I", MNRAS 126 (direct sums, softened);
 *              Verlet (1967), "Computer experiments on classical fluids, I", Phys. Rev. 159 (the integrator).
 * Stresses:    latency of square root and division; the data fit into a first-level cache.
 * Iteration:   21 times 2016 pairs of 27 floating-point operations, and 20 times 64 bodies of 18: 1,166,112.
 * Working set: 10 KiB.
 * Answer:      the sum of (i + 1) |r_i|^2 over the bodies after the last step: 1657.69423063.
 */
#include "kernels.h"

#include <math.h>
#include <string.h>

enum { BODIES = 64, STEPS = 20 };

static const double DT = 0.01;
static const double SOFTENING_SQUARED = 0.01;

struct body {
    double at[3], speed[3], pull[3], mass;
};

static struct body given[BODIES], bodies[BODIES];

static bool prepare(double input)
{
    for (int i = 0; i < BODIES; i++) {
        const int mixed[3] = {(37 * i + 11) % 64, (29 * i + 5) % 61, (43 * i + 17) % 59};
        for (int axis = 0; axis < 3; axis++) {
            given[i].at[axis] = (double)mixed[axis] / 64.0;
            given[i].speed[axis] = (double)(mixed[(axis + 1) % 3] - 30) / 128.0;
            given[i].pull[axis] = 0.0;
        }
        given[i].mass = input * (double)(1 + i % 3) / BODIES;
    }
    return true;
}

static void attract(struct body *one, struct body *other)
{
    double apart[3];
    double squared = SOFTENING_SQUARED;
    for (int axis = 0; axis < 3; axis++) {
        apart[axis] = other->at[axis] - one->at[axis];
        squared += apart[axis] * apart[axis];
    }
    const double inverse = 1.0 / sqrt(squared);
    const double cubed = inverse * inverse * inverse;
    for (int axis = 0; axis < 3; axis++) {
        one->pull[axis] += other->mass * cubed * apart[axis];
        other->pull[axis] -= one->mass * cubed * apart[axis];
    }
}

static void weigh(void)
{
    for (int i = 0; i < BODIES; i++) {
        memset(bodies[i].pull, 0, sizeof bodies[i].pull);
    }
    for (int i = 0; i < BODIES; i++) {
        for (int j = i + 1; j < BODIES; j++) {
            attract(&bodies[i], &bodies[j]);
        }
    }
}

static void kick(void)
{
    for (int i = 0; i < BODIES; i++) {
        for (int axis = 0; axis < 3; axis++) {
            bodies[i].speed[axis] += 0.5 * DT * bodies[i].pull[axis];
        }
    }
}

static void drift(void)
{
    for (int i = 0; i < BODIES; i++) {
        for (int axis = 0; axis < 3; axis++) {
            bodies[i].at[axis] += DT * bodies[i].speed[axis];
        }
    }
}

static double iterate(void)
{
    memcpy(bodies, given, sizeof bodies);
    weigh();
    for (int step = 0; step < STEPS; step++) {
        kick();
        drift();
        weigh();
        kick();
    }
    double sum = 0.0;
    for (int i = 0; i < BODIES; i++) {
        for (int axis = 0; axis < 3; axis++) {
            sum += (double)(i + 1) * bodies[i].at[axis] * bodies[i].at[axis];
        }
    }
    return sum;
}

const struct kernel n_body = {"n-body", prepare, iterate};
