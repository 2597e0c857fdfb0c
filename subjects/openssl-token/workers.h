/*
 * As many processes as a case asks for, each with the key, at work at the same time for so many seconds.
 */
#ifndef WORKERS_H
#define WORKERS_H

#include "keys.h"

#include <stdint.h>

struct order {
    const struct source *source;
    const struct pair *pair;
    EVP_PKEY *judge; /* verifies the signatures: the public key, unless a test has another */
    bool verifies;
    int processes;
    double seconds;
};

/* What a case came to. `answer` is "verified", or what was wrong. */
struct outcome {
    uint64_t work;
    int64_t from_ns, to_ns; /* on CLOCK_MONOTONIC: the first process's start, the last one's end */
    char refused[REASON];   /* why the key does not do it, empty where it does */
    char answer[REASON];
};

/* Carry a case out. Returns false where a process failed without a reason. */
bool carry_out(const struct order *order, struct outcome *outcome);

#endif
