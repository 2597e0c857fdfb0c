/*
 * The keys of a run: made in the program, or in a token that is made for the run in its own directory.
 */
#ifndef KEYS_H
#define KEYS_H

#include "cases.h"

#include <openssl/evp.h>

enum { REASON = 200 };

/* Where keys come from: from libcrypto itself, or from a PKCS#11 module by the engine. */
struct source {
    bool token;
    const char *directory;
    const char *module;
};

struct pair {
    const struct kind *kind;
    EVP_PKEY *secret;       /* NULL if it is in the token: each process opens it by itself */
    EVP_PKEY *open;         /* only the public key, in software */
    char refused[REASON];   /* why there is no such key, empty if there is one */
};

/* Make a key of that kind. Sets `refused` if libcrypto or the token does not support it. */
struct pair make_pair(const struct source *source, const struct kind *kind);

/* The last error of libcrypto as a text without quotes, or `otherwise`. */
void last_error(char text[REASON], const char *otherwise);

#endif
