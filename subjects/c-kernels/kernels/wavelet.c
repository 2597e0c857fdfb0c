/*
 * wavelet - the wavelet transform of 32768 points with Daubechies' four coefficients, around a circle, to the end.
 *
 * Source:      Daubechies (1988), "Orthonormal bases of compactly supported wavelets", Comm. Pure Appl. Math. 41;
 *              Mallat (1989), "A theory for multiresolution signal decomposition", IEEE PAMI 11(7): the pyramid.
 * Stresses:    loads with a stride of two, multiply and add; a second-level cache, then smaller and smaller data.
 * Iteration:   65,532 points x 7 = 458,724 floating-point operations; 65,532 x 16 = 1,048,512 bytes.
 * Working set: 4 arrays, 768 KiB, for the second-level cache, or the third if that is small.
 * Answer:      the sum of (1 + k mod 8) w_k^2: 12289.7509862.
 */
#include "kernels.h"

#include <math.h>

enum { LENGTH = 32768, LEAST = 4 };

static double given[LENGTH], smooth[2][LENGTH / 2], made[LENGTH];
static double low[4];

static bool prepare(double input)
{
    const double root = sqrt(3.0);
    const double norm = 4.0 * sqrt(2.0);
    low[0] = (1.0 + root) / norm;
    low[1] = (3.0 + root) / norm;
    low[2] = (3.0 - root) / norm;
    low[3] = (1.0 - root) / norm;
    for (int i = 0; i < LENGTH; i++) {
        given[i] = input * (double)((37 * i) % 101) / 101.0 - 0.5;
    }
    return true;
}

/* Halve `count` points, a power of two: the smooth part goes to `to`, the details behind the first half of `made`. */
static void halve(const double *from, double *to, int count)
{
    const int half = count / 2;
    for (int i = 0; i < half; i++) {
        const double *const pair = from + 2 * i;
        const double *const next = from + (2 * i + 2) % count;
        to[i] = low[0] * pair[0] + low[1] * pair[1] + low[2] * next[0] + low[3] * next[1];
        made[half + i] = low[3] * pair[0] - low[2] * pair[1] + low[1] * next[0] - low[0] * next[1];
    }
}

static double iterate(void)
{
    const double *from = given;
    int turn = 0;
    for (int count = LENGTH; count >= LEAST; count /= 2) {
        halve(from, smooth[turn], count);
        from = smooth[turn];
        turn = 1 - turn;
    }
    made[0] = from[0];
    made[1] = from[1];
    double sum = 0.0;
    for (int k = 0; k < LENGTH; k++) {
        sum += (double)(1 + k % 8) * made[k] * made[k];
    }
    return sum;
}

const struct kernel wavelet = {"wavelet", prepare, iterate};
