/*
 * The cases that the program was given: a file with one line for each, `key=rsa2048,operation=sign,processes=2`.
 */
#ifndef CASES_H
#define CASES_H

#include <stdbool.h>

enum { MOST_PROCESSES = 1024 };

struct kind {
    const char *name; /* as in the case */
    const char *type; /* as libcrypto names it */
    int bits;         /* of an RSA modulus, 0 for others */
    const char *tool; /* as pkcs11-tool names it */
};

struct one_case {
    const struct kind *kind;
    bool verifies; /* otherwise it signs */
    int processes;
};

/* Read the cases of a file, in its order, into `found` (room for `room`). Returns their number, or -1 after a
 * line on standard error that says what is wrong. */
int read_cases(const char *path, struct one_case *found, int room);

#endif
