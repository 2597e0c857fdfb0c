#define _POSIX_C_SOURCE 200809L /* for barriers */

#include "workers.h"

#include "local.h"
#include "processes.h"
#include "remote.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { NAME = 64 };

struct shared {
    pthread_barrier_t laid_out, ready, done;
    struct outcome outcomes[MOST_PROCESSES];
};

/* What every process is given. */
struct task {
    const struct words *words;
    struct shared *shared;
    int64_t case_ns; /* names the files of a case */
};

/* The time of one process: from when all are ready until its last byte is moved, and written bytes are committed. */
static bool timed(struct remote *remote, struct shared *shared, struct outcome *own)
{
    (void)pthread_barrier_wait(&shared->ready);
    own->from_ns = now_ns();
    if (!stream(remote)) {
        return false;
    }
    own->to_ns = now_ns();
    own->bytes = remote->bytes;
    (void)pthread_barrier_wait(&shared->done);
    return true;
}

/* One process: write the files to be read, connect, wait for the others, stream, check, clean up. */
static bool live(const struct words *words, struct shared *shared, int number, const char *name)
{
    struct remote remote;
    struct outcome *const own = &shared->outcomes[number - 1];
    const bool spoils = words->spoil >= 0 && number == 1;
    if (!mount_export(&remote, words, number) || !has_room(&remote)) {
        return false;
    }
    (void)pthread_barrier_wait(&shared->laid_out); /* all request the free space before any writes */
    if (!words->writes && (!lay_out(words, name + 1, number) || (spoils && !spoil(words, name + 1)))) {
        return false;
    }
    if (!open_file(&remote, name) || !timed(&remote, shared, own)) {
        return false;
    }
    if (words->writes && ((spoils && !spoil(words, name + 1)) || !read_back(&remote))) {
        return false;
    }
    memcpy(own->answer, remote.answer, REASON);
    const bool removed = remove_file(&remote, name);
    leave(&remote);
    return removed;
}

static struct shared *share(int processes)
{
    struct shared *const shared = share_memory(sizeof *shared);
    if (shared != NULL && (!make_barrier(&shared->laid_out, processes) || !make_barrier(&shared->ready, processes) ||
                           !make_barrier(&shared->done, processes))) {
        (void)fputs("nfs-stream: barriers between processes cannot be made\n", stderr);
        return NULL;
    }
    return shared;
}

/* The path of a process's file in the export. Its name differs in each case, because the server remembers names. */
static const char *name_of(char name[NAME], int64_t case_ns, int number)
{
    (void)snprintf(name, NAME, "/stream-%" PRId64 "-%d", case_ns, number);
    return name;
}

static void add(struct outcome *sum, const struct outcome *one)
{
    sum->bytes += one->bytes;
    sum->from_ns = one->from_ns < sum->from_ns ? one->from_ns : sum->from_ns;
    sum->to_ns = one->to_ns > sum->to_ns ? one->to_ns : sum->to_ns;
    if (strcmp(one->answer, "right") != 0) {
        memcpy(sum->answer, one->answer, REASON);
    }
}

static bool work(void *context, int number)
{
    char name[NAME];
    const struct task *const task = context;
    return live(task->words, task->shared, number + 1, name_of(name, task->case_ns, number + 1));
}

bool carry_out(const struct words *words, struct outcome *outcome)
{
    struct shared *const shared = share(words->processes);
    struct task task = {.words = words, .shared = shared, .case_ns = now_ns()};
    if (shared == NULL) {
        return false;
    }
    const bool good = run_processes(words->processes, work, &task);
    for (int i = 1; !good && i <= words->processes; i++) {
        char name[NAME];
        forget(words, name_of(name, task.case_ns, i) + 1);
    }
    *outcome = shared->outcomes[0];
    for (int i = 1; i < words->processes; i++) {
        add(outcome, &shared->outcomes[i]);
    }
    (void)munmap(shared, sizeof *shared);
    return good;
}
