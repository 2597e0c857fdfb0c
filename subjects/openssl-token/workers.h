/*
  * The processes of a case, each with the key, which work at the same time for a number of seconds.
 */
#ifndef WORKERS_H
#define WORKERS_H

#include "keys.h"

#include <stdint.h>

struct order {
    const struct source *source;
    const struct pair *pair;
    EVP_PKEY *judge; /* verifies the signatures: the public key, or another in a test */
    bool verifies;
    int processes;
    double seconds;
};

/* The outcome of a case. `answer` is "verified", or what was wrong. */
struct outcome {
    uint64_t work;
    int64_t from_ns, to_ns; /* on CLOCK_MONOTONIC: the first process's start, the last one's end */
    char refused[REASON];   /* why the key does not support it, empty if it does */
    char answer[REASON];
};

/* Carry a case out. Returns false if a process failed without a reason. */
bool carry_out(const struct order *order, struct outcome *outcome);

#endif
