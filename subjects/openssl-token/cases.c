#define _POSIX_C_SOURCE 200809L /* for strtok_r */

#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct kind KINDS[] = {
    {"rsa512", "RSA", 512, "rsa:512"},
    {"rsa1024", "RSA", 1024, "rsa:1024"},
    {"rsa2048", "RSA", 2048, "rsa:2048"},
    {"rsa3072", "RSA", 3072, "rsa:3072"},
    {"rsa4096", "RSA", 4096, "rsa:4096"},
    {"rsa7680", "RSA", 7680, "rsa:7680"},
    {"ecdsap256", "EC", 0, "EC:prime256v1"},
    {"ed25519", "ED25519", 0, "EC:edwards25519"},
};

static const struct kind *kind_named(const char *name)
{
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        if (strcmp(KINDS[i].name, name) == 0) {
            return &KINDS[i];
        }
    }
    return NULL;
}

static bool set_field(struct one_case *one, const char *name, const char *value)
{
    if (strcmp(name, "key") == 0) {
        one->kind = kind_named(value);
        return one->kind != NULL;
    }
    if (strcmp(name, "operation") == 0) {
        one->verifies = strcmp(value, "verify") == 0;
        return one->verifies || strcmp(value, "sign") == 0;
    }
    char *end = NULL;
    const long count = strtol(value, &end, 10);
    one->processes = count >= 1 && count <= MOST_PROCESSES ? (int)count : 0;
    return strcmp(name, "processes") == 0 && *end == '\0' && one->processes > 0;
}

static bool read_line(char *line, struct one_case *one)
{
    char *rest = NULL;
    *one = (struct one_case){.kind = NULL};
    line[strcspn(line, "\n")] = '\0';
    for (char *field = strtok_r(line, ",", &rest); field != NULL; field = strtok_r(NULL, ",", &rest)) {
        char *const value = strchr(field, '=');
        if (value == NULL) {
            return false;
        }
        *value = '\0';
        if (!set_field(one, field, value + 1)) {
            return false;
        }
    }
    return one->kind != NULL && one->processes > 0;
}

int read_cases(const char *path, struct one_case *found, int room)
{
    char line[256];
    int count = 0;
    FILE *const file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        return -1;
    }
    while (count < room && fgets(line, sizeof line, file) != NULL) {
        if (!read_line(line, &found[count])) {
            (void)fprintf(stderr,
                          "openssl-token: case %d is not understood: key=rsa2048,operation=sign,processes=1\n", count);
            (void)fclose(file);
            return -1;
        }
        count++;
    }
    (void)fclose(file);
    return count;
}
