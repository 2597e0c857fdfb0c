#define _POSIX_C_SOURCE 200809L /* for the times in libnfs's header */

#include "slots.h"

#include "content.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
/* after the system's: this header uses its names */
#include <nfsc/libnfs.h>

enum { POLL_MS = 1000, STALLED_AFTER = 60 };

/* One request under way, and its memory if it writes. */
struct slot {
    struct run *run;
    unsigned char *block;
    int64_t offset;
    int64_t length;
};

struct run {
    struct remote *remote;
    enum pass pass;
    int64_t next;    /* offset of the next block to request */
    int64_t *bytes;
    int under_way;
    int64_t answered;
    bool broken;
};

static void on_answer(int got, struct nfs_context *nfs, void *data, void *hint);

static int64_t step(const struct run *run)
{
    const struct words *const words = run->remote->words;
    return run->pass == SAMPLING ? words->block_bytes * words->whole_every : words->block_bytes;
}

/* Send the next request in a slot, if the file is not at its end. */
static void send_next(struct slot *slot)
{
    struct run *const run = slot->run;
    struct remote *const remote = run->remote;
    const int64_t left = remote->words->file_bytes - run->next;
    if (run->broken || left <= 0) {
        return;
    }
    slot->offset = run->next;
    slot->length = left < remote->words->block_bytes ? left : remote->words->block_bytes;
    run->next += step(run);
    int got = 0;
    if (run->pass == WRITING) {
        number_pages(slot->block, (size_t)slot->length, (uint64_t)remote->number, (uint64_t)slot->offset);
        got = nfs_pwrite_async(remote->nfs, remote->file, (uint64_t)slot->offset, (uint64_t)slot->length, slot->block,
                               on_answer, slot);
    } else {
        got = nfs_pread_async(remote->nfs, remote->file, (uint64_t)slot->offset, (uint64_t)slot->length, on_answer,
                              slot);
    }
    run->broken = got != 0;
    run->under_way += got == 0;
}

static void check(const struct slot *slot, const unsigned char *data)
{
    const struct run *const run = slot->run;
    struct remote *const remote = run->remote;
    const int whole = (slot->offset / remote->words->block_bytes) % remote->words->whole_every == 0;
    const int64_t at =
        differs(data, (size_t)slot->length, (uint64_t)remote->number, (uint64_t)slot->offset, whole);
    if (at >= 0) {
        (void)snprintf(remote->answer, REASON, "file %d holds other bytes from %" PRId64 " on", remote->number, at);
    }
}

/* Report once which request failed, and how: the number in a response is not always the server's. */
static void tell(const struct run *run, const struct slot *slot, int got)
{
    const char *const told = nfs_get_error(run->remote->nfs);
    const char *const why = told == NULL ? strerror(-got) : told;
    if (!run->broken) {
        (void)fprintf(stderr, "nfs-stream: file %d: %s at byte %" PRId64 ": %s%s\n", run->remote->number,
                      run->pass == WRITING ? "writing" : "reading", slot->offset, why,
                      strstr(why, "NOSPC") == NULL ? "" : ": No space left on the server's disk");
    }
}

static void on_answer(int got, struct nfs_context *nfs, void *data, void *hint)
{
    struct slot *const slot = hint;
    struct run *const run = slot->run;
    (void)nfs;
    run->under_way--;
    run->answered++;
    if (got < 0) {
        tell(run, slot, got);
        run->broken = true;
        return;
    }
    *run->bytes += got;
    if (got != slot->length) {
        (void)snprintf(run->remote->answer, REASON, "file %d: %d bytes at %" PRId64 " in place of %" PRId64,
                       run->remote->number, got, slot->offset, slot->length);
    } else if (run->pass != WRITING) {
        check(slot, data);
    }
    send_next(slot);
}

/* Serve the connection until every request has its response. */
static bool serve(struct run *run)
{
    struct nfs_context *const nfs = run->remote->nfs;
    int still = 0;
    while (run->under_way > 0 && !run->broken) {
        struct pollfd at = {.fd = nfs_get_fd(nfs), .events = (short)nfs_which_events(nfs)};
        const int64_t before = run->answered;
        if (poll(&at, 1, POLL_MS) < 0 || nfs_service(nfs, at.revents) < 0) {
            (void)fprintf(stderr, "nfs-stream: file %d: the connection to the server is lost: %s\n",
                          run->remote->number, nfs_get_error(nfs));
            return false;
        }
        still = at.revents == 0 && run->answered == before ? still + 1 : 0;
        if (still >= STALLED_AFTER) {
            (void)fprintf(stderr, "nfs-stream: file %d: the server has said nothing for %d s\n", run->remote->number,
                          STALLED_AFTER);
            return false;
        }
    }
    return !run->broken;
}

bool pass_over(struct remote *remote, enum pass pass, int64_t *bytes)
{
    struct run run = {.remote = remote, .pass = pass, .bytes = bytes};
    const size_t length = pass == WRITING ? (size_t)remote->words->block_bytes : 0;
    struct slot *const slots = calloc((size_t)remote->words->in_flight, sizeof *slots);
    bool good = slots != NULL;
    for (int i = 0; good && i < remote->words->in_flight; i++) {
        slots[i] = (struct slot){.run = &run, .block = length == 0 ? NULL : malloc(length)};
        good = length == 0 || slots[i].block != NULL;
        if (good && length > 0) {
            prepare_pages(slots[i].block, length);
        }
    }
    for (int i = 0; good && i < remote->words->in_flight; i++) {
        send_next(&slots[i]);
    }
    good = good && serve(&run);
    for (int i = 0; good && i < remote->words->in_flight; i++) {
        free(slots[i].block); /* not after a failure: requests may still name them, and the process ends */
    }
    if (good) {
        free(slots);
    }
    return good;
}
