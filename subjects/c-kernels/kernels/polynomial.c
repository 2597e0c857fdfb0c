/*
 * polynomial - a polynomial of degree 31 at 32768 points between 0 and 1.
 *
 * Source:      Horner (1819), "A new method of solving numerical equations of all orders, by continuous approximation",
 *              Phil. Trans. R. Soc. 109.
 * Stresses:    latency of multiply and add, and how many points a CPU keeps in flight.
 * Iteration:   32,768 points x 64 = 2,097,152 floating-point operations.
 * Working set: 256 bytes, for the first-level cache.
 * Answer:      the sum of all values: 98458.259807.
 */
#include "kernels.h"

enum { DEGREE = 31, POINTS = 32768 };

static double coefficients[DEGREE + 1];

static bool prepare(double input)
{
    for (int k = 0; k <= DEGREE; k++) {
        coefficients[k] = input * (double)(1 + (7 * k) % 5) / (double)(1 + k);
    }
    return true;
}

static double iterate(void)
{
    double sum = 0.0;
    for (int i = 0; i < POINTS; i++) {
        const double x = (double)i / POINTS;
        double value = coefficients[DEGREE];
        for (int k = DEGREE - 1; k >= 0; k--) {
            value = value * x + coefficients[k];
        }
        sum += value;
    }
    return sum;
}

const struct kernel polynomial = {"polynomial", prepare, iterate};
