/*
  * Copies of a kernel that run at once, each in its own process on its own CPU.
 */
#ifndef COPIES_H
#define COPIES_H

#include "kernels.h"

#include <stdint.h>

enum { MOST_COPIES = 256 };

/* What one copy did. Times are CLOCK_MONOTONIC in ns; `steady` means that every iteration gave the same answer,
 * the ones before and after the timed part included. */
struct outcome {
    uint64_t iterations;
    int64_t from_ns, to_ns;
    double answer;
    bool steady;
};

/* How a case is to be run. */
struct order {
    double seconds;
    double input;
    int copies;
};

/* Run `copies` of a kernel at once for `seconds`, and write what each did into `outcomes` (room for `copies`).
 * Returns false after a line on standard error if one of them failed. */
bool run_copies(const struct kernel *kernel, const struct order *order, struct outcome *outcomes);

#endif
