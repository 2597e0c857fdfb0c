/*
 * Processes of one program that work at the same time and share memory.
 */
#ifndef PROCESSES_H
#define PROCESSES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Return the time in ns on CLOCK_MONOTONIC. */
int64_t now_ns(void);

/* Return memory of zeros that processes forked later share, or NULL after a line on standard error. */
void *share_memory(size_t bytes);

/* Make a barrier in shared memory for that many processes. Returns false if that fails. */
bool make_barrier(pthread_barrier_t *barrier, int processes);

/*
 * Fork `count` processes, each of which does `work` with its number, from 0, and ends. Wait for all. When one fails, the
 * others would wait for it forever at a barrier, so they are killed. Returns whether all succeeded.
 */
bool run_processes(int count, bool (*work)(void *context, int number), void *context);

#endif
