#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KIB = 1024, MIB = 1024 * 1024, MOST_BLOCK_KIB = 16384, PAGE_KIB = 4 };

/* Return a whole number from `low` to `high`, or -1 if it is none. */
static int64_t whole_number(const char *text, int64_t low, int64_t high)
{
    char *end = NULL;
    const long long value = strtoll(text, &end, 10);
    return *text != '\0' && *end == '\0' && value >= low && value <= high ? (int64_t)value : -1;
}

static bool one_of(const char *text, const char *first, const char *second, bool *is_second)
{
    *is_second = strcmp(text, second) == 0;
    return *is_second || strcmp(text, first) == 0;
}

static bool understand_text(const char *name, const char *text, struct words *words)
{
    if (strcmp(name, "--server") == 0) {
        words->server = text;
    } else if (strcmp(name, "--export") == 0) {
        words->export = text;
    } else if (strcmp(name, "--cases") == 0) {
        words->cases = text;
    } else if (strcmp(name, "--operation") == 0) {
        return one_of(text, "read", "write", &words->writes);
    } else if (strcmp(name, "--cache") == 0) {
        return one_of(text, "cold", "warm", &words->warm);
    } else if (strcmp(name, "--only") == 0) {
        words->only_mounts = strcmp(text, "mount") == 0;
        return words->only_mounts;
    } else {
        return false;
    }
    return true;
}

static bool understand_number(const char *name, const char *text, struct words *words)
{
    if (strcmp(name, "--processes") == 0) {
        words->processes = (int)whole_number(text, 1, MOST_PROCESSES);
        return words->processes > 0;
    }
    if (strcmp(name, "--in-flight") == 0) {
        words->in_flight = (int)whole_number(text, 1, 64);
        return words->in_flight > 0;
    }
    if (strcmp(name, "--size-mib") == 0) {
        words->file_bytes = whole_number(text, 1, 1 << 20) * MIB;
        return words->file_bytes > 0;
    }
    if (strcmp(name, "--block-kib") == 0) {
        words->block_bytes = whole_number(text, PAGE_KIB, MOST_BLOCK_KIB) * KIB;
        return words->block_bytes > 0 && words->block_bytes % (PAGE_KIB * KIB) == 0;
    }
    if (strcmp(name, "--whole-every") == 0) {
        words->whole_every = whole_number(text, 1, 1 << 20);
        return words->whole_every > 0;
    }
    words->spoil = whole_number(text, 0, INT64_MAX);
    return strcmp(name, "--spoil") == 0 && words->spoil >= 0;
}

bool read_words(int count, char **arguments, struct words *words)
{
    *words = (struct words){.spoil = -1, .whole_every = 1, .in_flight = 1};
    for (int i = 1; i < count; i += 2) {
        if (i + 1 == count || !(understand_text(arguments[i], arguments[i + 1], words) ||
                                understand_number(arguments[i], arguments[i + 1], words))) {
            (void)fprintf(stderr, "nfs-stream: '%s %s' is not understood\n", arguments[i],
                          i + 1 == count ? "" : arguments[i + 1]);
            return false;
        }
    }
    const bool work = words->cases != NULL && words->processes > 0 && words->file_bytes > 0 && words->block_bytes > 0;
    if (words->server == NULL || words->export == NULL || !(words->only_mounts || work)) {
        (void)fprintf(stderr, "usage: nfs-stream --server ADDRESS --export DIRECTORY (--only mount | --cases FILE "
                              "--operation read|write --processes N --size-mib N --block-kib N [--in-flight N] "
                              "[--cache cold|warm] [--whole-every N])\n");
        return false;
    }
    return true;
}
