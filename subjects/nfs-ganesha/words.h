/*
  * The arguments of the program.
 */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stdint.h>

enum { MOST_PROCESSES = 64, REASON = 240 };

struct words {
    const char *server; /* its address; NFS on port 2049, MOUNT on 20048 */
    const char *export; /* the exported directory, which this program reaches itself as well */
    const char *cases;  /* a file with the line of the case, as headtohead writes it */
    bool writes;        /* otherwise it reads */
    bool warm;          /* files to be read may be in memory; otherwise the server reads them from its disk */
    bool only_mounts;   /* only mount, to see whether the server is ready */
    int processes;
    int in_flight;      /* requests of a process under way at a time */
    int64_t file_bytes;
    int64_t block_bytes;
    int64_t whole_every; /* one of this number of blocks is compared byte by byte */
    int64_t spoil;       /* a test changes this byte of the first file; -1 for none */
};

/* Read the arguments. Returns false after a line on standard error that says what is wrong. */
bool read_words(int count, char **arguments, struct words *words);

#endif
