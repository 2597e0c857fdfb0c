/*
 * daxpy - y := y + factor * x on vectors of 1024, 2000 times.
 *
 * Source:      Lawson, Hanson, Kincaid and Krogh (1979), "Basic Linear Algebra Subprograms for Fortran usage",
 *              ACM TOMS 5(3): DAXPY.
 * Stresses:    loads and stores of a first-level cache, multiply and add without dependence.
 * Iteration:   4,096,000 floating-point operations; 49,152,000 bytes, and 16,384 to begin again from the same y.
 * Working set: 3 vectors of 8 KiB, for the first-level cache.
 * Answer:      the sum of all y_i, exact in binary: 3380.49902344.
 */
#include "kernels.h"

#include <string.h>

enum { LENGTH = 1024, TIMES = 2000 };

static double x[LENGTH], y[LENGTH], given[LENGTH];

static bool prepare(double input)
{
    for (int i = 0; i < LENGTH; i++) {
        x[i] = input * (double)((7 * i) % 17) / 16.0;
        given[i] = (double)(i % 13) / 16.0;
    }
    return true;
}

static void add_multiple(double factor)
{
    for (int i = 0; i < LENGTH; i++) {
        y[i] += factor * x[i];
    }
}

static double iterate(void)
{
    memcpy(y, given, sizeof y);
    for (int time = 0; time < TIMES; time++) {
        add_multiple((double)(1 + time % 5) / 1024.0);
    }
    double sum = 0.0;
    for (int i = 0; i < LENGTH; i++) {
        sum += y[i];
    }
    return sum;
}

const struct kernel daxpy = {"daxpy", prepare, iterate};
