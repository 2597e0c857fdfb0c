/*
 * runge-kutta - 40 steps of Lorenz's equations from each of 256 points, with the classical method of fourth order.
 *
 * Source:      Kutta (1901), "Beitrag zur naeherungsweisen Integration totaler Differentialgleichungen", Z. Math. Phys.
 *              46; the equations of Lorenz (1963), "Deterministic nonperiodic flow", J. Atmos. Sci. 20. The way is kept
 *              too short (0.4 units of time) for chaos to enlarge rounding.
 * Stresses:    chains of multiply and add, some of them independent; touches little memory.
 * Iteration:   256 x 40 steps of 71 floating-point operations: 727,040.
 * Working set: 6 KiB, for the first-level cache.
 * Answer:      the sum of all x^2 + y^2 + z^2: 220018.104033.
 */
#include "kernels.h"

enum { STARTS = 256, STEPS = 40, AXES = 3 };

static const double DT = 0.01;

struct point {
    double at[AXES];
};

static struct point starts[STARTS];

static bool prepare(double input)
{
    for (int i = 0; i < STARTS; i++) {
        starts[i].at[0] = input * (double)((37 * i) % 64 - 32) / 4.0;
        starts[i].at[1] = (double)((29 * i) % 61 - 30) / 4.0;
        starts[i].at[2] = 20.0 + (double)((43 * i) % 59) / 4.0;
    }
    return true;
}

static struct point slope(struct point p)
{
    return (struct point){{
        10.0 * (p.at[1] - p.at[0]),
        p.at[0] * (28.0 - p.at[2]) - p.at[1],
        p.at[0] * p.at[1] - 8.0 / 3.0 * p.at[2],
    }};
}

static struct point along(struct point p, struct point direction, double time)
{
    for (int axis = 0; axis < AXES; axis++) {
        p.at[axis] += time * direction.at[axis];
    }
    return p;
}

static struct point step(struct point p)
{
    const struct point first = slope(p);
    const struct point second = slope(along(p, first, 0.5 * DT));
    const struct point third = slope(along(p, second, 0.5 * DT));
    const struct point fourth = slope(along(p, third, DT));
    struct point mean;
    for (int axis = 0; axis < AXES; axis++) {
        mean.at[axis] = first.at[axis] + 2.0 * second.at[axis] + 2.0 * third.at[axis] + fourth.at[axis];
    }
    return along(p, mean, DT / 6.0);
}

static double iterate(void)
{
    double sum = 0.0;
    for (int i = 0; i < STARTS; i++) {
        struct point p = starts[i];
        for (int done = 0; done < STEPS; done++) {
            p = step(p);
        }
        sum += p.at[0] * p.at[0] + p.at[1] * p.at[1] + p.at[2] * p.at[2];
    }
    return sum;
}

const struct kernel runge_kutta = {"runge-kutta", prepare, iterate};
