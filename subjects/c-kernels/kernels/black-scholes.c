/*
 * black-scholes - the prices of 4096 European call options.
 *
 * Source:      Black and Scholes (1973), "The pricing of options and corporate liabilities", J. Political Economy
 *              81(3).
 * Stresses:    log, exp, erfc of the machine's mathematical library, square root and division.
 * Iteration:   4096 options x 16 = 65,536 floating-point operations, and for each option a square root, a log, an exp
 *              and two erfc.
 * Working set: 3 arrays of 32 KiB, for the second-level cache.
 * Answer:      the sum of all prices: 57849.6608436.
 */
#include "kernels.h"

#include <math.h>

enum { OPTIONS = 4096 };

static const double RATE = 0.05;

static double spots[OPTIONS], strikes[OPTIONS], years[OPTIONS];
static double volatility, drift, root_of_half;

static bool prepare(double input)
{
    volatility = 0.2 * input;
    drift = RATE + 0.5 * volatility * volatility;
    root_of_half = sqrt(0.5);
    for (int i = 0; i < OPTIONS; i++) {
        spots[i] = (double)(80 + (37 * i) % 41);
        strikes[i] = (double)(70 + (53 * i) % 61);
        years[i] = (double)(1 + i % 24) / 12.0;
    }
    return true;
}

/* The share of a normal distribution that is below a value. */
static double normal_share(double value)
{
    return 0.5 * erfc(-root_of_half * value);
}

static double call(double spot, double strike, double time)
{
    const double spread = volatility * sqrt(time);
    const double first = (log(spot / strike) + drift * time) / spread;
    const double discounted = strike * exp(-RATE * time);
    return spot * normal_share(first) - discounted * normal_share(first - spread);
}

static double iterate(void)
{
    double sum = 0.0;
    for (int i = 0; i < OPTIONS; i++) {
        sum += call(spots[i], strikes[i], years[i]);
    }
    return sum;
}

const struct kernel black_scholes = {"black-scholes", prepare, iterate};
