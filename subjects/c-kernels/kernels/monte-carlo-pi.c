/*
 * monte-carlo-pi - the share of 100,000 random points of the unit square that lie in the quarter circle, times 4.
 *
 * Source:      Metropolis and Ulam (1949), "The Monte Carlo method", J. Am. Stat. Assoc. 44; generator of Marsaglia
 *              (2003), "Xorshift RNGs", J. Stat. Softw. 8(14): 64 bits, shifts 13, 7, 17.
 * Stresses:    a chain of integer shifts, conversion to floating point; touches no memory.
 * Iteration:   200,000 draws of 6 integer operations, 100,000 points of 5 floating-point operations.
 * Working set: registers.
 * Answer:      a number near pi, exact as it is a count: 3.13292.
 */
#include "kernels.h"

#include <stdint.h>

enum { POINTS = 100000 };

static uint64_t seed;

static bool prepare(double input)
{
    seed = UINT64_C(88172645463325252) + (uint64_t)(input * 1000000.0);
    return true;
}

static double draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) * 0x1p-53;
}

static double iterate(void)
{
    uint64_t state = seed;
    uint32_t inside = 0;
    for (uint32_t i = 0; i < POINTS; i++) {
        const double x = draw(&state);
        const double y = draw(&state);
        inside += x * x + y * y <= 1.0;
    }
    return 4.0 * (double)inside / POINTS;
}

const struct kernel monte_carlo_pi = {"monte-carlo-pi", prepare, iterate};
