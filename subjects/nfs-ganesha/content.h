/*
  * The content of the files: pages of 4096 bytes, each with its file's number and its own number at both ends, and the
 * same random bytes between them. Filling a block writes two numbers per page; a whole check compares every byte.
 */
#ifndef CONTENT_H
#define CONTENT_H

#include <stddef.h>
#include <stdint.h>

enum { PAGE = 4096 };

/* Fill memory, a whole number of pages, with the bytes between the numbers. */
void prepare_pages(unsigned char *memory, size_t length);

/* Number prepared pages as those of a file from an offset on, which is the start of a page. */
void number_pages(unsigned char *memory, size_t length, uint64_t file, uint64_t offset);

/* Compare what was read with the right content: the numbers of each page, and with `whole` every byte. Returns the
 * offset in the file of the first page that differs, or -1 if none does. */
int64_t differs(const unsigned char *memory, size_t length, uint64_t file, uint64_t offset, int whole);

#endif
