/*
 * matrix-exponential - e^A of order 32: A / 64, eight terms of the series, six squarings.
 *
 * Source:      Moler and Van Loan (1978), "Nineteen dubious ways to compute the exponential of a matrix", SIAM Review
 *              20(4): method 3, scaling and squaring.
 * Stresses:    multiply and add on small matrices in a first-level cache.
 * Iteration:   13 products of 65,536 and another 9472: 861,440 floating-point operations.
 * Working set: 4 matrices of 8 KiB, three at a time, for the first-level cache.
 * Answer:      the sum of (1 + i mod 8) e_ij^2: 162.794033477.
 */
#include "kernels.h"

#include <string.h>

enum { ORDER = 32, TERMS = 8, SQUARINGS = 6 };

typedef double matrix[ORDER][ORDER];

static matrix given, scaled, power, product;

static bool prepare(double input)
{
    for (int i = 0; i < ORDER; i++) {
        for (int j = 0; j < ORDER; j++) {
            given[i][j] = input * (double)((7 * i + 3 * j) % 13 - 6) / 64.0;
        }
    }
    return true;
}

static void multiply(const double (*left)[ORDER], const double (*right)[ORDER])
{
    memset(product, 0, sizeof product);
    for (int i = 0; i < ORDER; i++) {
        for (int k = 0; k < ORDER; k++) {
            const double factor = left[i][k];
            for (int j = 0; j < ORDER; j++) {
                product[i][j] += factor * right[k][j];
            }
        }
    }
}

/* Let power be 1 + share * from. */
static void take_term(const double (*from)[ORDER], double share)
{
    for (int i = 0; i < ORDER; i++) {
        for (int j = 0; j < ORDER; j++) {
            power[i][j] = share * from[i][j];
        }
        power[i][i] += 1.0;
    }
}

static double iterate(void)
{
    for (int i = 0; i < ORDER; i++) {
        for (int j = 0; j < ORDER; j++) {
            scaled[i][j] = given[i][j] / 64.0;
        }
    }
    take_term((const double(*)[ORDER])scaled, 1.0 / TERMS);
    for (int term = TERMS - 1; term > 0; term--) {
        multiply((const double(*)[ORDER])scaled, (const double(*)[ORDER])power);
        take_term((const double(*)[ORDER])product, 1.0 / (double)term);
    }
    for (int squaring = 0; squaring < SQUARINGS; squaring++) {
        multiply((const double(*)[ORDER])power, (const double(*)[ORDER])power);
        memcpy(power, product, sizeof power);
    }
    double sum = 0.0;
    for (int i = 0; i < ORDER; i++) {
        for (int j = 0; j < ORDER; j++) {
            sum += (double)(1 + i % 8) * power[i][j] * power[i][j];
        }
    }
    return sum;
}

const struct kernel matrix_exponential = {"matrix-exponential", prepare, iterate};
