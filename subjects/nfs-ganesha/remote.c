#define _POSIX_C_SOURCE 200809L /* for the times in libnfs's header */

#include "remote.h"

#include "slots.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
/* after the system's: this header uses its names */
#include <nfsc/libnfs.h>

enum { ANSWER_WITHIN_MS = 60000, URL = 4200, SPARE_MIB = 64, MIB = 1024 * 1024 };

static bool failed(struct remote *remote, const char *what)
{
    const char *const why = remote->nfs == NULL ? NULL : nfs_get_error(remote->nfs);
    (void)fprintf(stderr, "nfs-stream: file %d: %s: %s\n", remote->number, what, why == NULL ? "no reason" : why);
    return false;
}

bool mount_export(struct remote *remote, const struct words *words, int number)
{
    char url[URL];
    *remote = (struct remote){.words = words, .number = number, .answer = "right", .nfs = nfs_init_context()};
    const int length = snprintf(url, sizeof url, "nfs://%s%s/?version=3&nfsport=2049&mountport=20048&autoreconnect=0",
                                words->server, words->export);
    struct nfs_url *const read =
        remote->nfs == NULL || length >= URL ? NULL : nfs_parse_url_dir(remote->nfs, url);
    if (read == NULL) {
        return failed(remote, "the address cannot be read");
    }
    nfs_set_timeout(remote->nfs, ANSWER_WITHIN_MS);
    nfs_set_uid(remote->nfs, (int)getuid()); /* the server serves only its own user, by both numbers */
    nfs_set_gid(remote->nfs, (int)getgid());
    const bool mounted = nfs_mount(remote->nfs, read->server, words->export) == 0;
    nfs_destroy_url(read);
    return mounted || failed(remote, "the export cannot be mounted");
}

bool has_room(struct remote *remote)
{
    struct nfs_statvfs_64 found;
    const struct words *const words = remote->words;
    if (nfs_statvfs64(remote->nfs, "/", &found) != 0) {
        return failed(remote, "the server does not say what it has free");
    }
    const uint64_t unit = found.f_frsize > 0 ? found.f_frsize : found.f_bsize;
    const uint64_t free_mib = found.f_bavail * unit / MIB;
    const uint64_t wanted_mib = (uint64_t)words->file_bytes / MIB * (uint64_t)words->processes + SPARE_MIB;
    if (free_mib < wanted_mib) {
        (void)fprintf(stderr,
                      "nfs-stream: there is no room: %d files of %" PRId64 " MiB and a spare take %" PRIu64
                      " MiB, and %" PRIu64 " MiB are left on the disk of the server\n",
                      words->processes, words->file_bytes / MIB, wanted_mib, free_mib);
        return false;
    }
    return true;
}

bool open_file(struct remote *remote, const char *name)
{
    const int got = remote->words->writes ? nfs_creat(remote->nfs, name, 0600, &remote->file)
                                          : nfs_open(remote->nfs, name, O_RDONLY, &remote->file);
    return got == 0 || failed(remote, "the file cannot be opened");
}

bool stream(struct remote *remote)
{
    const int64_t length = remote->words->file_bytes;
    const enum pass pass = remote->words->writes ? WRITING : READING;
    if (!pass_over(remote, pass, &remote->bytes)) {
        return false;
    }
    if (remote->words->writes && nfs_fsync(remote->nfs, remote->file) != 0) {
        return failed(remote, "what was written cannot be committed");
    }
    if (remote->bytes != length) {
        (void)snprintf(remote->answer, REASON, "file %d: %" PRId64 " bytes moved of %" PRId64, remote->number,
                       remote->bytes, length);
    }
    return true;
}

bool read_back(struct remote *remote)
{
    struct nfs_stat_64 found;
    int64_t again = 0;
    if (nfs_fstat64(remote->nfs, remote->file, &found) != 0) {
        return failed(remote, "its size cannot be asked for");
    }
    if (found.nfs_size != (uint64_t)remote->words->file_bytes) {
        (void)snprintf(remote->answer, REASON, "file %d has %" PRIu64 " bytes in place of %" PRId64, remote->number,
                       found.nfs_size, remote->words->file_bytes);
        return true;
    }
    return pass_over(remote, SAMPLING, &again);
}

bool remove_file(struct remote *remote, const char *name)
{
    if (remote->file != NULL) {
        (void)nfs_close(remote->nfs, remote->file);
        remote->file = NULL;
    }
    return nfs_unlink(remote->nfs, name) == 0 || failed(remote, "it cannot be removed");
}

void leave(struct remote *remote)
{
    if (remote->nfs != NULL) {
        nfs_destroy_context(remote->nfs);
        remote->nfs = NULL;
    }
}
