/*
 * openssl-token - sign and verify through libcrypto, with keys in the program or in a PKCS#11 token.
 *
 *     openssl-token --cases FILE --seconds 1 --provider default|pkcs11 --directory DIR --module SO [--judge wrong]
 */
#include "cases.h"
#include "keys.h"
#include "token.h"
#include "workers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CASES = 4096, MOST_PAIRS = 16, WRONG_WORDS = 2 };

struct words {
    const char *cases;
    struct source source;
    double seconds;
    bool wrong_judge;
};

static bool understand(const char *name, const char *text, struct words *words)
{
    char *end = NULL;
    if (strcmp(name, "--cases") == 0) {
        words->cases = text;
    } else if (strcmp(name, "--directory") == 0) {
        words->source.directory = text;
    } else if (strcmp(name, "--module") == 0) {
        words->source.module = text;
    } else if (strcmp(name, "--provider") == 0) {
        words->source.token = strcmp(text, "pkcs11") == 0;
        return words->source.token || strcmp(text, "default") == 0;
    } else if (strcmp(name, "--judge") == 0) {
        words->wrong_judge = strcmp(text, "wrong") == 0;
        return words->wrong_judge;
    } else if (strcmp(name, "--seconds") == 0) {
        words->seconds = strtod(text, &end);
        return *end == '\0' && words->seconds >= 0.001 && words->seconds <= 86400.0;
    } else {
        return false;
    }
    return true;
}

static bool read_words(int count, char **arguments, struct words *words)
{
    for (int i = 1; i < count; i += 2) {
        if (i + 1 == count || !understand(arguments[i], arguments[i + 1], words)) {
            (void)fprintf(stderr, "openssl-token: '%s' is not understood\n", arguments[i]);
            return false;
        }
    }
    if (words->cases == NULL || words->seconds <= 0.0 ||
        (words->source.token && (words->source.directory == NULL || words->source.module == NULL))) {
        (void)fprintf(stderr, "usage: openssl-token --cases FILE --seconds S [--provider default|pkcs11 "
                              "--directory DIR --module SO]\n");
        return false;
    }
    return true;
}

/* The key of a kind, made at its first use. */
static const struct pair *pair_of(const struct source *source, const struct kind *kind)
{
    static struct pair pairs[MOST_PAIRS];
    static int count;
    for (int i = 0; i < count; i++) {
        if (pairs[i].kind == kind) {
            return &pairs[i];
        }
    }
    pairs[count] = make_pair(source, kind);
    return &pairs[count++];
}

static void print_head(const char *record, const struct one_case *one)
{
    (void)printf("{\"format\": 1, \"record\": \"%s\", \"case\": {\"key\": \"%s\", \"operation\": \"%s\", "
                 "\"processes\": %d}, ",
                 record, one->kind->name, one->verifies ? "verify" : "sign", one->processes);
}

/* Print a text as JSON; characters that need an escape do not matter in a reason. */
static void print_text(const char *text)
{
    (void)putchar('"');
    for (; *text != '\0'; text++) {
        (void)putchar(*text < ' ' || *text == '"' || *text == '\\' || *text > '~' ? ' ' : *text);
    }
    (void)putchar('"');
}

static void print_outcome(const struct one_case *one, const struct outcome *outcome)
{
    if (outcome->refused[0] != '\0') {
        print_head("refused", one);
        (void)printf("\"reason\": ");
        print_text(outcome->refused);
    } else {
        print_head("batch", one);
        (void)printf("\"work\": %" PRIu64 ", \"work_in\": \"operations\", \"elapsed_ns\": %" PRId64
                     ", \"from_ns\": %" PRId64 ", \"to_ns\": %" PRId64 ", \"metrics\": {}, \"answer\": ",
                     outcome->work, outcome->to_ns - outcome->from_ns, outcome->from_ns, outcome->to_ns);
        print_text(outcome->answer);
    }
    (void)printf("}\n");
    (void)fflush(stdout);
}

static bool carry_out_case(const struct words *words, const struct one_case *one)
{
    struct outcome outcome = {.work = 0};
    const struct pair *const pair = pair_of(&words->source, one->kind);
    if (pair->open == NULL) {
        memcpy(outcome.refused, pair->refused, REASON);
    } else {
        /* In a test another key verifies: then no signature may pass. */
        const struct source own = {.token = false};
        EVP_PKEY *const judge = words->wrong_judge ? make_pair(&own, one->kind).open : pair->open;
        const struct order order = {.source = &words->source, .pair = pair, .judge = judge, .verifies = one->verifies,
                                    .processes = one->processes, .seconds = words->seconds};
        if (judge == NULL || !carry_out(&order, &outcome)) {
            return false;
        }
    }
    print_outcome(one, &outcome);
    return true;
}

int main(int count, char **arguments)
{
    static struct one_case cases[MOST_CASES];
    struct words words = {.seconds = 0.0};
    if (!read_words(count, arguments, &words)) {
        return WRONG_WORDS;
    }
    const int there = read_cases(words.cases, cases, MOST_CASES);
    if (there < 0 || (words.source.token && !make_room(&words.source))) {
        return EXIT_FAILURE;
    }
    for (int i = 0; i < there; i++) {
        if (!carry_out_case(&words, &cases[i])) {
            (void)fprintf(stderr, "openssl-token: a process failed\n");
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
