/*
 * The kernels: small pieces of numerical work, each in a file of its own, each with a known answer.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include <stdbool.h>

struct kernel {
    const char *name;
    /* Allocate and fill the data; return false if memory is short. `input` is 1 for the published answer. Another input
     * gives another answer, so that no compiler can know the result and remove the work. */
    bool (*prepare)(double input);
    /* Do one iteration on the data as prepared and return its answer, the same in every iteration. */
    double (*iterate)(void);
};

/* Every kernel, in alphabetical order: a new one needs a line here and a file. */
#define FOR_EACH_KERNEL(DO)    \
    DO(black_scholes)          \
    DO(cholesky)               \
    DO(conjugate_gradient)     \
    DO(convolution)            \
    DO(daxpy)                  \
    DO(dot_product)            \
    DO(edit_distance)          \
    DO(explicit_hydrodynamics) \
    DO(fft)                    \
    DO(gauss_seidel)           \
    DO(heapsort)               \
    DO(hydro_fragment)         \
    DO(jacobi_eigenvalues)     \
    DO(linear_recurrence)      \
    DO(lu_decomposition)       \
    DO(mandelbrot)             \
    DO(matrix_exponential)     \
    DO(matrix_multiply)        \
    DO(matrix_vector)          \
    DO(monte_carlo_pi)         \
    DO(n_body)                 \
    DO(polynomial)             \
    DO(qr_decomposition)       \
    DO(random_access)          \
    DO(runge_kutta)            \
    DO(sparse_matrix_vector)   \
    DO(stencil_5_point)        \
    DO(stencil_7_point)        \
    DO(stream_add)             \
    DO(stream_copy)            \
    DO(stream_scale)           \
    DO(stream_triad)           \
    DO(tridiagonal_solve)      \
    DO(wavelet)

#define DECLARED(kernel_name) extern const struct kernel kernel_name;
FOR_EACH_KERNEL(DECLARED)
#undef DECLARED

#endif
