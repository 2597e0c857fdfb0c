/*
  * The processes of a case, each with a connection and a file of its own, which work at the same time.
 */
#ifndef WORKERS_H
#define WORKERS_H

#include "words.h"

/* The outcome of a case. `answer` is "right", or what differs. */
struct outcome {
    int64_t bytes;          /* moved by all processes */
    int64_t from_ns, to_ns; /* on CLOCK_MONOTONIC: the first process's start, the last one's end */
    char answer[REASON];
};

/* Carry the case out. Returns false after a line on standard error. */
bool carry_out(const struct words *words, struct outcome *outcome);

#endif
