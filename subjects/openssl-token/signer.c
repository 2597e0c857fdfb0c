#include "signer.h"

#include <openssl/rsa.h>
#include <string.h>

enum { MESSAGE = 32 };

static void message(uint64_t number, unsigned char bytes[MESSAGE])
{
    memset(bytes, 0x5a, MESSAGE);
    memcpy(bytes, &number, sizeof number);
}

bool get_ready(struct signer *signer, EVP_PKEY *key, bool verifies)
{
    *signer = (struct signer){.key = key, .verifies = verifies};
    if (EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519) {
        signer->whole = EVP_MD_CTX_new();
        return signer->whole != NULL;
    }
    signer->prepared = EVP_PKEY_CTX_new(key, NULL);
    if (signer->prepared == NULL ||
        (verifies ? EVP_PKEY_verify_init(signer->prepared) : EVP_PKEY_sign_init(signer->prepared)) != 1) {
        return false;
    }
    if (EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA &&
        EVP_PKEY_CTX_set_rsa_padding(signer->prepared, RSA_PKCS1_PADDING) != 1) {
        return false;
    }
    return EVP_PKEY_CTX_set_signature_md(signer->prepared, EVP_sha256()) == 1;
}

bool sign(struct signer *signer, uint64_t number, struct signature *made)
{
    unsigned char bytes[MESSAGE];
    message(number, bytes);
    made->number = number;
    made->length = sizeof made->bytes;
    if (signer->whole != NULL) {
        return EVP_DigestSignInit(signer->whole, NULL, NULL, NULL, signer->key) == 1 &&
               EVP_DigestSign(signer->whole, made->bytes, &made->length, bytes, MESSAGE) == 1;
    }
    return EVP_PKEY_sign(signer->prepared, made->bytes, &made->length, bytes, MESSAGE) == 1;
}

bool verify(struct signer *signer, const struct signature *made)
{
    unsigned char bytes[MESSAGE];
    message(made->number, bytes);
    if (signer->whole != NULL) {
        return EVP_DigestVerifyInit(signer->whole, NULL, NULL, NULL, signer->key) == 1 &&
               EVP_DigestVerify(signer->whole, made->bytes, made->length, bytes, MESSAGE) == 1;
    }
    return EVP_PKEY_verify(signer->prepared, made->bytes, made->length, bytes, MESSAGE) == 1;
}

void put_away(struct signer *signer)
{
    EVP_PKEY_CTX_free(signer->prepared);
    EVP_MD_CTX_free(signer->whole);
}
