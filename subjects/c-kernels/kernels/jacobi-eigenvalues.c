/*
 * jacobi-eigenvalues - all eigenvalues of a symmetric matrix of order 40: 6 sweeps of plane rotations.
 *
 * Source:      Jacobi (1846), "Ueber ein leichtes Verfahren, die in der Theorie der Saecularstoerungen vorkommenden
 *              Gleichungen numerisch aufzuloesen", J. reine angew. Math. 30; the formulas of Rutishauser (1966), "The
 *              Jacobi method for real symmetric matrices", Numer. Math. 9.
 * Stresses:    short loops over two rows and two columns, latency of division and square root.
 * Iteration:   4680 rotations of 244 floating-point operations: 1,141,920; 25,600 bytes copied.
 * Working set: 2 matrices of 12.5 KiB, for the first-level cache.
 * Answer:      the sum of the square roots of all eigenvalues: 46.5485979219.
 */
#include "kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER = 40, SWEEPS = 6 };

static double given[ORDER][ORDER], a[ORDER][ORDER];

static bool prepare(double input)
{
    for (int i = 0; i < ORDER; i++) {
        for (int j = 0; j < ORDER; j++) {
            given[i][j] = 1.0 / (double)(1 + abs(i - j));
        }
        given[i][i] += input * (double)i / ORDER;
    }
    return true;
}

/* Rotate in the plane of p and q so that a[p][q] becomes zero; after 6 sweeps it is some 1e-30, never denormal. */
static void rotate(int p, int q)
{
    const double apart = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    const double tangent = copysign(1.0 / (fabs(apart) + sqrt(apart * apart + 1.0)), apart);
    const double cosine = 1.0 / sqrt(tangent * tangent + 1.0);
    const double sine = tangent * cosine;
    const double moved = tangent * a[p][q];
    a[p][p] -= moved;
    a[q][q] += moved;
    a[p][q] = 0.0;
    a[q][p] = 0.0;
    for (int k = 0; k < ORDER; k++) {
        if (k != p && k != q) {
            const double of_p = cosine * a[k][p] - sine * a[k][q];
            const double of_q = sine * a[k][p] + cosine * a[k][q];
            a[k][p] = of_p;
            a[p][k] = of_p;
            a[k][q] = of_q;
            a[q][k] = of_q;
        }
    }
}

static double iterate(void)
{
    memcpy(a, given, sizeof a);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int p = 0; p < ORDER - 1; p++) {
            for (int q = p + 1; q < ORDER; q++) {
                if (a[p][q] != 0.0) {
                    rotate(p, q);
                }
            }
        }
    }
    double sum = 0.0;
    for (int i = 0; i < ORDER; i++) {
        sum += sqrt(a[i][i]);
    }
    return sum;
}

const struct kernel jacobi_eigenvalues = {"jacobi-eigenvalues", prepare, iterate};
