/*
 * One private key and one public key at work: signatures over 32 bytes that differ from one to the next.
 */
#ifndef SIGNER_H
#define SIGNER_H

#include <openssl/evp.h>
#include <stdbool.h>
#include <stdint.h>

enum { MOST_SIGNATURE = 1024 };

struct signature {
    uint64_t number; /* of the message that it is of */
    size_t length;
    unsigned char bytes[MOST_SIGNATURE];
};

struct signer {
    EVP_PKEY *key;
    EVP_PKEY_CTX *prepared; /* RSA and ECDSA: of a hash */
    EVP_MD_CTX *whole;      /* Ed25519: of the message itself */
    bool verifies;
};

/* Prepare to sign with `key`, or to verify with it. Returns false if libcrypto does not support it. */
bool get_ready(struct signer *signer, EVP_PKEY *key, bool verifies);

/* Sign message `number`. */
bool sign(struct signer *signer, uint64_t number, struct signature *made);

/* Whether the signature fits its message. */
bool verify(struct signer *signer, const struct signature *made);

void put_away(struct signer *signer);

#endif
