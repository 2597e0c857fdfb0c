/*
  * private.so - lets an ordinary user do what nfs-ganesha does as root. Preloaded into the server.
 *
  * The kernel opens file handles only for holders of CAP_DAC_READ_SEARCH. Here the path of each handle is kept when the
 * server requests the handle. A handle is opened by that path after a check that the path still leads to the same file;
  * otherwise it is stale, as in the kernel for a removed file. The clients know the server's ports, so the machine's port
 * mapper is not needed and not changed: registering succeeds and does nothing.
 */
#define _GNU_SOURCE /* for name_to_handle_at and RTLD_NEXT */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUCKETS = 1024, LINK = 64 };

struct known {
    struct known *next;
    struct file_handle *handle;
    char *path;
};

typedef int (*name_to_handle)(int, const char *, struct file_handle *, int *, int);
typedef void *(*open_library)(const char *, int);

static struct known *table[BUCKETS];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

bool rpcb_set(unsigned program, unsigned version, const void *network, const void *address);
bool rpcb_unset(unsigned program, unsigned version, const void *network);

bool rpcb_set(unsigned program, unsigned version, const void *network, const void *address)
{
    (void)program, (void)version, (void)network, (void)address;
    return true;
}

bool rpcb_unset(unsigned program, unsigned version, const void *network)
{
    (void)program, (void)version, (void)network;
    return true;
}

/* The C library's own function, which one of these replaces. */
static union original {
    void *found;
    name_to_handle name_to_handle;
    open_library open_library;
} original(const char *name)
{
    const union original either = {.found = dlsym(RTLD_NEXT, name)};
    if (either.found == NULL) {
        abort();
    }
    return either;
}

/* The server opens its file system's module with the module's own libraries first, which would bypass all this. */
void *dlopen(const char *path, int flags)
{
    return original("dlopen").open_library(path, flags & ~RTLD_DEEPBIND);
}

static struct known **bucket_of(const struct file_handle *handle)
{
    size_t hash = (size_t)handle->handle_type;
    for (unsigned i = 0; i < handle->handle_bytes; i++) {
        hash = hash * 31 + handle->f_handle[i];
    }
    return &table[hash % BUCKETS];
}

static bool same(const struct file_handle *one, const struct file_handle *other)
{
    return one->handle_type == other->handle_type && one->handle_bytes == other->handle_bytes &&
           memcmp(one->f_handle, other->f_handle, one->handle_bytes) == 0;
}

static struct known *find(const struct file_handle *handle)
{
    struct known *each = *bucket_of(handle);
    while (each != NULL && !same(each->handle, handle)) {
        each = each->next;
    }
    return each;
}

/* Keep a handle's path; the latest one counts. Returns false if memory is short. */
static bool keep(const struct file_handle *handle, const char *path)
{
    char *const copy = strdup(path);
    struct known *known = find(handle);
    if (known == NULL && copy != NULL) {
        const size_t length = sizeof *handle + handle->handle_bytes;
        known = calloc(1, sizeof *known);
        struct file_handle *const held = known == NULL ? NULL : malloc(length);
        if (held == NULL) {
            free(known);
            free(copy);
            return false;
        }
        memcpy(held, handle, length);
        *known = (struct known){.next = *bucket_of(handle), .handle = held};
        *bucket_of(handle) = known;
    }
    if (known != NULL && copy != NULL) {
        free(known->path);
        known->path = copy;
    }
    return copy != NULL;
}

/* The path for a directory's descriptor and a name, as in the system calls that end in "at". */
static bool path_of(char path[PATH_MAX], int directory, const char *name)
{
    char link[LINK], place[PATH_MAX] = "";
    if (name[0] == '/') {
        return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX;
    }
    if (directory == AT_FDCWD) {
        (void)snprintf(link, sizeof link, "/proc/self/cwd");
    } else {
        (void)snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    }
    const ssize_t length = readlink(link, place, sizeof place - 1);
    return length > 0 && snprintf(path, PATH_MAX, "%s%s%s", place, name[0] == '\0' ? "" : "/", name) < PATH_MAX;
}

int name_to_handle_at(int directory, const char *name, struct file_handle *handle, int *mount, int flags)
{
    char path[PATH_MAX];
    const int got = original("name_to_handle_at").name_to_handle(directory, name, handle, mount, flags);
    if (got != 0 || !path_of(path, directory, name)) {
        return got;
    }
    (void)pthread_mutex_lock(&guard);
    const bool kept = keep(handle, path);
    (void)pthread_mutex_unlock(&guard);
    if (!kept) {
        errno = ENOMEM;
        return -1;
    }
    return 0;
}

/* Whether a descriptor is of the file of a handle. */
static bool leads_to(int file, const struct file_handle *handle)
{
    union {
        struct file_handle handle;
        unsigned char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
    } found = {.handle = {.handle_bytes = MAX_HANDLE_SZ}};
    int mount = 0;
    const name_to_handle ask = original("name_to_handle_at").name_to_handle;
    return ask(file, "", &found.handle, &mount, AT_EMPTY_PATH) == 0 && same(&found.handle, handle);
}

int open_by_handle_at(int mount, struct file_handle *handle, int flags)
{
    char path[PATH_MAX] = "", link[LINK];
    (void)mount;
    (void)pthread_mutex_lock(&guard);
    const struct known *const known = find(handle);
    (void)snprintf(path, sizeof path, "%s", known == NULL ? "" : known->path);
    (void)pthread_mutex_unlock(&guard);

    const int place = path[0] == '\0' ? -1 : open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (place < 0 || !leads_to(place, handle)) {
        if (place >= 0) {
            (void)close(place);
        }
        errno = ESTALE;
        return -1;
    }
    if ((flags & O_PATH) != 0) {
        return place;
    }
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", place);
    const int file = open(link, flags & ~(O_NOFOLLOW | O_CREAT | O_EXCL));
    const int error = errno;
    (void)close(place);
    errno = error;
    return file;
}
