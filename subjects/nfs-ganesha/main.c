/*
 * nfs-stream - stream files to or from an NFS version 3 server, by several processes at once, and check the data.
 *
 *     nfs-stream --server 192.0.2.1 --export /a/directory --cases FILE --operation read --processes 2 --size-mib 2048
 *                --block-kib 1024 [--in-flight 4] [--cache cold|warm] [--whole-every 16] [--spoil BYTE]
 */
#define _POSIX_C_SOURCE 200809L /* for strtok_r */

#include "remote.h"
#include "words.h"
#include "workers.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1024, WRONG_WORDS = 2 };

/* Print a text as JSON; characters that need an escape do not occur here. */
static void print_text(const char *text)
{
    (void)putchar('"');
    for (; *text != '\0'; text++) {
        (void)putchar(*text < ' ' || *text == '"' || *text == '\\' || *text > '~' ? ' ' : *text);
    }
    (void)putchar('"');
}

static void print_value(const char *text)
{
    char *end = NULL;
    (void)strtod(text, &end);
    if (*text != '\0' && *end == '\0') {
        (void)printf("%s", text);
    } else {
        print_text(text);
    }
}

/* Print the case of a line such as `operation=read,processes=2`. */
static void print_case(char *line)
{
    char *rest = NULL;
    const char *between = "";
    (void)printf("{");
    for (char *field = strtok_r(line, ",\n", &rest); field != NULL; field = strtok_r(NULL, ",\n", &rest)) {
        char *const value = strchr(field, '=');
        if (value != NULL) {
            *value = '\0';
            (void)printf("%s\"%s\": ", between, field);
            print_value(value + 1);
            between = ", ";
        }
    }
    (void)printf("}");
}

static bool print_record(const struct words *words, const struct outcome *outcome)
{
    char line[LINE] = "";
    FILE *const file = fopen(words->cases, "r");
    if (file == NULL) {
        perror(words->cases);
        return false;
    }
    const char *const read = fgets(line, sizeof line, file); /* NULL if the load has no cases */
    (void)fclose(file);
    (void)printf("{\"format\": 1, \"record\": \"batch\", \"case\": ");
    print_case(read == NULL ? strcpy(line, "") : line);
    (void)printf(", \"work\": %" PRId64 ", \"work_in\": \"bytes\", \"elapsed_ns\": %" PRId64 ", \"from_ns\": %" PRId64
                 ", \"to_ns\": %" PRId64 ", \"metrics\": {}, \"answer\": ",
                 outcome->bytes, outcome->to_ns - outcome->from_ns, outcome->from_ns, outcome->to_ns);
    print_text(outcome->answer);
    (void)printf("}\n");
    return true;
}

static bool only_mount(const struct words *words)
{
    struct remote remote;
    const bool mounted = mount_export(&remote, words, 0);
    leave(&remote);
    return mounted;
}

int main(int count, char **arguments)
{
    struct words words;
    struct outcome outcome;
    if (!read_words(count, arguments, &words)) {
        return WRONG_WORDS;
    }
    (void)signal(SIGPIPE, SIG_IGN); /* a lost server fails the request, not the program */
    if (words.only_mounts) {
        return only_mount(&words) ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    return carry_out(&words, &outcome) && print_record(&words, &outcome) ? EXIT_SUCCESS : EXIT_FAILURE;
}
