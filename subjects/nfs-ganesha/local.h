/*
 * The exported directory as this machine's own: where the files to be read are laid out, outside of the time.
 */
#ifndef LOCAL_H
#define LOCAL_H

#include "words.h"

/* Write a file as the case asks, to the disk; out of memory as well unless the case is warm. Returns false after a line
 * on standard error. */
bool lay_out(const struct words *words, const char *name, int file);

/* Change one byte of a file, for a test. Returns false after a line on standard error. */
bool spoil(const struct words *words, const char *name);

/* Remove what a case that failed may have left. */
void forget(const struct words *words, const char *name);

#endif
