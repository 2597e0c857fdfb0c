#include "cases.h"

#include <stdio.h>
#include <string.h>

static const struct kernel *const KERNELS[] = {
    &fft,    &mandelbrot,           &matrix_multiply, &monte_carlo_pi,
    &n_body, &sparse_matrix_vector, &stencil_5_point, &stream_triad,
};

const struct kernel *kernel_named(const char *name)
{
    for (size_t i = 0; i < sizeof KERNELS / sizeof KERNELS[0]; i++) {
        if (strcmp(KERNELS[i]->name, name) == 0) {
            return KERNELS[i];
        }
    }
    return NULL;
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
        (void)fprintf(stderr, "c-kernels: there is no kernel of '%s'; kernels/ holds those that there are\n", line);
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
