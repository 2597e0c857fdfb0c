#include "keys.h"

#include "token.h"

#include <openssl/err.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <string.h>

void last_error(char text[REASON], const char *otherwise)
{
    const char *const why = ERR_reason_error_string(ERR_peek_last_error());
    (void)snprintf(text, REASON, "%s", why == NULL ? otherwise : why);
}

static EVP_PKEY *generated(const struct kind *kind)
{
    if (kind->bits > 0) {
        return EVP_PKEY_Q_keygen(NULL, NULL, kind->type, (size_t)kind->bits);
    }
    return strcmp(kind->type, "EC") == 0 ? EVP_PKEY_Q_keygen(NULL, NULL, kind->type, "P-256")
                                         : EVP_PKEY_Q_keygen(NULL, NULL, kind->type);
}

/* The public half of a key as a key of its own, made from the bytes that others get. */
static EVP_PKEY *public_of(EVP_PKEY *secret)
{
    unsigned char *bytes = NULL;
    const int length = i2d_PUBKEY(secret, &bytes);
    const unsigned char *at = bytes;
    EVP_PKEY *const open = length > 0 ? d2i_PUBKEY(NULL, &at, length) : NULL;
    OPENSSL_free(bytes);
    return open;
}

struct pair make_pair(const struct source *source, const struct kind *kind)
{
    struct pair made = {.kind = kind};
    ERR_clear_error();
    if (source->token) {
        made.open = made_in_token(source, kind, made.refused);
        return made;
    }
    made.secret = generated(kind);
    made.open = made.secret == NULL ? NULL : public_of(made.secret);
    if (made.open == NULL) {
        last_error(made.refused, "libcrypto makes no such key");
    }
    return made;
}
