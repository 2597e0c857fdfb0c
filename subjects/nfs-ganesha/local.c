#define _POSIX_C_SOURCE 200809L /* for posix_fadvise and pwrite */

#include "local.h"

#include "content.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int opened(const struct words *words, const char *name, int flags, char path[PATH_MAX])
{
    (void)snprintf(path, PATH_MAX, "%s/%s", words->export, name);
    const int file = open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) {
        (void)fprintf(stderr, "nfs-stream: %s cannot be opened: %s\n", path, strerror(errno));
    }
    return file;
}

static bool filled(int descriptor, const struct words *words, unsigned char *block, int file)
{
    prepare_pages(block, (size_t)words->block_bytes);
    for (int64_t at = 0; at < words->file_bytes; at += words->block_bytes) {
        const int64_t left = words->file_bytes - at;
        const size_t length = (size_t)(left < words->block_bytes ? left : words->block_bytes);
        number_pages(block, length, (uint64_t)file, (uint64_t)at);
        for (size_t done = 0; done < length;) {
            const ssize_t wrote = write(descriptor, block + done, length - done);
            if (wrote <= 0) {
                return false;
            }
            done += (size_t)wrote;
        }
    }
    return fdatasync(descriptor) == 0;
}

bool lay_out(const struct words *words, const char *name, int file)
{
    char path[PATH_MAX];
    unsigned char *const block = malloc((size_t)words->block_bytes);
    const int descriptor = block == NULL ? -1 : opened(words, name, O_WRONLY | O_CREAT | O_EXCL, path);
    if (descriptor < 0) {
        free(block);
        return false;
    }
    bool good = filled(descriptor, words, block, file);
    if (!good) {
        (void)fprintf(stderr, "nfs-stream: %s cannot be laid out: %s\n", path, strerror(errno));
    } else if (!words->warm) {
        good = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) == 0;
    }
    (void)close(descriptor);
    free(block);
    return good;
}

bool spoil(const struct words *words, const char *name)
{
    char path[PATH_MAX];
    unsigned char byte = 0;
    const int file = opened(words, name, O_RDWR, path);
    const bool good = file >= 0 && pread(file, &byte, 1, (off_t)words->spoil) == 1 &&
                      (byte ^= 1, pwrite(file, &byte, 1, (off_t)words->spoil) == 1);
    if (file >= 0) {
        (void)close(file);
    }
    return good;
}

void forget(const struct words *words, const char *name)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/%s", words->export, name);
    (void)unlink(path);
}
