/*
  * The cases of the program: a file with one line for each, `kernel=stream-triad`.
 */
#ifndef CASES_H
#define CASES_H

#include "kernels.h"

#include <stdio.h>

/* The kernel of that name, or NULL. */
const struct kernel *kernel_named(const char *name);

/* Print the name of every kernel, one per line. */
void list_kernels(FILE *out);

/* Read the cases of a file, in its order, into `found` (room for `room`). Returns their number, or -1 after a
 * line on standard error that says what is wrong. */
int read_cases(const char *path, const struct kernel **found, int room);

#endif
