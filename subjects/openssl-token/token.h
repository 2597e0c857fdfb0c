/*
 * Tokens of SoftHSM in the run's own directory: made by its tools, used through PKCS#11 by libcrypto's engine.
 */
#ifndef TOKEN_H
#define TOKEN_H

#include "keys.h"

/* Let the module keep its tokens in the source's directory, and nowhere else. Returns false after a line on standard
 * error. */
bool make_room(const struct source *source);

/* Make a token with one key pair and return the public key, or NULL and the reason if the token does not support it.
 * Each key has its own token, because a key that the engine does not know hides the others in the same token. */
EVP_PKEY *made_in_token(const struct source *source, const struct kind *kind, char refused[REASON]);

/* Wait until no other process opens keys, and lock others out until the descriptor is closed: a login writes the
 * token's files, and a process that reads them meanwhile finds no token. Returns -1 if that fails. */
int lock_token(const struct source *source);

/* Open the private key that was made: its operations are the token's. Call it once in each process, locked. */
EVP_PKEY *opened_in_token(const struct source *source, const struct kind *kind, char refused[REASON]);

#endif
