/*
 * c-kernels - time numerical kernels, one or more copies at once, and print a batch record for each case.
 *
 *     c-kernels --cases FILE --seconds 0.6 --copies 2 [--input 1]
 *     c-kernels --list
 */
#include "cases.h"
#include "copies.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CASES = 1024, WRONG_WORDS = 2 };

struct words {
    const char *cases;
    struct order order;
};

static bool number(const char *text, double least, double most, double *value)
{
    char *end = NULL;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && *value >= least && *value <= most;
}

static bool understand(const char *name, const char *text, struct words *words)
{
    double copies = 0.0;
    if (strcmp(name, "--cases") == 0) {
        words->cases = text;
        return true;
    }
    if (strcmp(name, "--seconds") == 0) {
        return number(text, 0.0, 86400.0, &words->order.seconds);
    }
    if (strcmp(name, "--input") == 0) {
        return number(text, 0.0, 1000.0, &words->order.input);
    }
    if (strcmp(name, "--copies") == 0 && number(text, 1.0, MOST_COPIES, &copies)) {
        words->order.copies = (int)copies;
        return (double)words->order.copies == copies;
    }
    return false;
}

static bool read_words(int count, char **arguments, struct words *words)
{
    for (int i = 1; i < count; i += 2) {
        if (i + 1 == count || !understand(arguments[i], arguments[i + 1], words)) {
            (void)fprintf(stderr, "c-kernels: '%s' is not understood\n", arguments[i]);
            return false;
        }
    }
    if (words->cases == NULL || words->order.seconds <= 0.0) {
        (void)fprintf(stderr, "usage: c-kernels --cases FILE --seconds S [--copies N] [--input X] | --list\n");
        return false;
    }
    return true;
}

static void print_record(const struct kernel *kernel, const struct order *order, const struct outcome *outcomes)
{
    struct outcome all = outcomes[0];
    bool agreed = true;
    for (int i = 1; i < order->copies; i++) {
        all.iterations += outcomes[i].iterations;
        all.from_ns = outcomes[i].from_ns < all.from_ns ? outcomes[i].from_ns : all.from_ns;
        all.to_ns = outcomes[i].to_ns > all.to_ns ? outcomes[i].to_ns : all.to_ns;
        all.steady = all.steady && outcomes[i].steady;
        agreed = agreed && outcomes[i].answer == all.answer;
    }
    (void)printf("{\"format\": 1, \"record\": \"batch\", \"case\": {\"kernel\": \"%s\"}, \"work\": %" PRIu64
                 ", \"work_in\": \"iterations\", \"elapsed_ns\": %" PRId64 ", \"answer\": ",
                 kernel->name, all.iterations, all.to_ns - all.from_ns);
    if (!all.steady) {
        (void)printf("\"the answer changed between iterations\"");
    } else if (!agreed) {
        (void)printf("\"copies disagree\"");
    } else {
        (void)printf("%.17g", all.answer);
    }
    (void)printf(", \"metrics\": {\"copies\": %d}, \"from_ns\": %" PRId64 ", \"to_ns\": %" PRId64 "}\n", order->copies,
                 all.from_ns, all.to_ns);
    (void)fflush(stdout);
}

int main(int count, char **arguments)
{
    static const struct kernel *cases[MOST_CASES];
    static struct outcome outcomes[MOST_COPIES];
    struct words words = {.order = {.seconds = 0.0, .input = 1.0, .copies = 1}};
    if (count == 2 && strcmp(arguments[1], "--list") == 0) {
        list_kernels(stdout);
        return ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    if (!read_words(count, arguments, &words)) {
        return WRONG_WORDS;
    }
    const int found = read_cases(words.cases, cases, MOST_CASES);
    if (found < 0) {
        return WRONG_WORDS;
    }
    for (int i = 0; i < found; i++) {
        if (!run_copies(cases[i], &words.order, outcomes)) {
            return EXIT_FAILURE;
        }
        print_record(cases[i], &words.order, outcomes);
    }
    return ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
