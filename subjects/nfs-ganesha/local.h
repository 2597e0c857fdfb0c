/*
  * The exported directory on this machine, where the files to be read are written outside the measured time.
 */
#ifndef LOCAL_H
#define LOCAL_H

#include "words.h"

/* Write the file of a case to the disk, and drop it from memory unless the case is warm. Returns false after a line on
 * standard error. */
bool lay_out(const struct words *words, const char *name, int file);

/* Change one byte of a file, for a test. Returns false after a line on standard error. */
bool spoil(const struct words *words, const char *name);

/* Remove what a failed case may have left. */
void forget(const struct words *words, const char *name);

#endif
