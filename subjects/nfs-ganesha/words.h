/*
 * What a start of the program was asked for.
 */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stdint.h>

enum { MOST_PROCESSES = 64, REASON = 240 };

struct words {
    const char *server; /* its address; NFS on port 2049, MOUNT on 20048 */
    const char *export; /* the exported directory, which this program reaches itself as well */
    const char *cases;  /* a file with the one case's line, as the harness writes it */
    bool writes;        /* else it reads */
    bool warm;          /* files to be read may lie in memory; else the server reads them from its disk */
    bool only_mounts;   /* mount, and that is all: is the server ready? */
    int processes;
    int in_flight;      /* requests of a process under way at a time */
    int64_t file_bytes;
    int64_t block_bytes;
    int64_t whole_every; /* of so many blocks one is compared byte by byte */
    int64_t spoil;       /* a test spoils this byte of the first file; -1 where none */
};

/* Read the words. Returns false after a line on standard error that says what is wrong. */
bool read_words(int count, char **arguments, struct words *words);

#endif
