/*
 * mandelbrot - escape times of z := z^2 + c for 64 x 48 values of c, at most 200 steps each.
 *
 * Source:      Mandelbrot (1980), "Fractal aspects of the iteration of z -> lambda z(1 - z) for complex lambda and z",
 *              Ann. N. Y. Acad. Sci. 357.
 * Stresses:    latency of floating-point multiply and add, and a branch that is hard to foresee; touches no memory.
 * Iteration:   8 floating-point operations a step, as many steps as the answer says.
 * Working set: registers.
 * Answer:      the sum of all escape times, a whole number: 119028.
 */
#include "kernels.h"

enum { WIDTH = 64, HEIGHT = 48, MOST = 200 };

static double span;

static bool prepare(double input)
{
    span = 3.0 * input;
    return true;
}

static int escape_time(double re, double im)
{
    double x = 0.0;
    double y = 0.0;
    int steps = 0;
    while (steps < MOST && x * x + y * y <= 4.0) {
        const double next = x * x - y * y + re;
        y = 2.0 * x * y + im;
        x = next;
        steps++;
    }
    return steps;
}

static double iterate(void)
{
    long sum = 0;
    for (int j = 0; j < HEIGHT; j++) {
        for (int i = 0; i < WIDTH; i++) {
            sum += escape_time(-2.25 + span * (double)i / WIDTH, -1.5 + 3.0 * (double)j / HEIGHT);
        }
    }
    return (double)sum;
}

const struct kernel mandelbrot = {"mandelbrot", prepare, iterate};
