#include "cases.h"

#include <string.h>

#define ADDRESS(kernel_name) &kernel_name,
static const struct kernel *const KERNELS[] = {FOR_EACH_KERNEL(ADDRESS)};
#undef ADDRESS

static const size_t COUNT = sizeof KERNELS / sizeof KERNELS[0];

const struct kernel *kernel_named(const char *name)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (strcmp(KERNELS[i]->name, name) == 0) {
            return KERNELS[i];
        }
    }
    return NULL;
}

void list_kernels(FILE *out)
{
    for (size_t i = 0; i < COUNT; i++) {
        (void)fprintf(out, "%s\n", KERNELS[i]->name);
    }
}

static const struct kernel *kernel_of_line(char *line)
{
    static const char field[] = "kernel=";
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, field, sizeof field - 1) != 0) {
        (void)fprintf(stderr, "c-kernels: the case '%s' names no kernel: a case reads kernel=<name>\n", line);
        return NULL;
    }
    const struct kernel *const kernel = kernel_named(line + sizeof field - 1);
    if (kernel == NULL) {
        (void)fprintf(stderr, "c-kernels: there is no kernel of '%s'; c-kernels --list tells which there are\n", line);
    }
    return kernel;
}

int read_cases(const char *path, const struct kernel **found, int room)
{
    char line[256];
    int count = 0;
    FILE *const file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        return -1;
    }
    while (count < room && fgets(line, sizeof line, file) != NULL) {
        found[count] = kernel_of_line(line);
        if (found[count] == NULL) {
            (void)fclose(file);
            return -1;
        }
        count++;
    }
    (void)fclose(file);
    return count;
}
