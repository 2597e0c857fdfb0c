/*
 * The kernels: small pieces of numerical work, each in a file of its own, each with a known answer.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include <stdbool.h>

struct kernel {
    const char *name;
    /* Allocate and fill the data; false when memory is short. `input` is 1 for the published answer; another input
     * gives another answer, so no compiler can know the result and leave the work out. */
    bool (*prepare)(double input);
    /* Do one iteration on the data as prepared and return its answer, the same in every iteration. */
    double (*iterate)(void);
};

extern const struct kernel fft;
extern const struct kernel mandelbrot;
extern const struct kernel matrix_multiply;
extern const struct kernel monte_carlo_pi;
extern const struct kernel n_body;
extern const struct kernel sparse_matrix_vector;
extern const struct kernel stencil_5_point;
extern const struct kernel stream_triad;

#endif
