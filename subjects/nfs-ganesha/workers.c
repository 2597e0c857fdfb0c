#define _GNU_SOURCE /* for prctl and anonymous shared memory */

#include "workers.h"

#include "local.h"
#include "remote.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NAME = 64 };

struct shared {
    pthread_barrier_t laid_out, ready, done;
    struct outcome outcomes[MOST_PROCESSES];
};

static int64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The time of one process: from where all are ready to where its last byte is moved, and written ones committed. */
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

/* One process's life: lay out, connect, meet the others, stream, check, clean up. */
static bool live(const struct words *words, struct shared *shared, int number, const char *name)
{
    struct remote remote;
    struct outcome *const own = &shared->outcomes[number - 1];
    const bool spoils = words->spoil >= 0 && number == 1;
    if (!mount_export(&remote, words, number) || !has_room(&remote)) {
        return false;
    }
    (void)pthread_barrier_wait(&shared->laid_out); /* nobody writes before all have asked what is free */
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

static bool make_barrier(pthread_barrier_t *barrier, int processes)
{
    pthread_barrierattr_t between;
    return pthread_barrierattr_init(&between) == 0 &&
           pthread_barrierattr_setpshared(&between, PTHREAD_PROCESS_SHARED) == 0 &&
           pthread_barrier_init(barrier, &between, (unsigned)processes) == 0;
}

static struct shared *share(int processes)
{
    struct shared *const shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || !make_barrier(&shared->laid_out, processes) ||
        !make_barrier(&shared->ready, processes) || !make_barrier(&shared->done, processes)) {
        perror("nfs-stream: shared memory");
        return NULL;
    }
    return shared;
}

static void end_all(const pid_t *pids, int count)
{
    for (int i = 0; i < count; i++) {
        (void)kill(pids[i], SIGKILL);
    }
}

/* The path of a process's file in the export. No two cases have files of one name: the server remembers names. */
static const char *name_of(char name[NAME], int64_t case_ns, int number)
{
    (void)snprintf(name, NAME, "/stream-%" PRId64 "-%d", case_ns, number);
    return name;
}

/* Wait for all; when one fails, the others would wait for it for ever, so they are ended. */
static bool all_succeed(const pid_t *pids, int count)
{
    bool good = true;
    for (int i = 0; i < count; i++) {
        int status = 0;
        if (wait(&status) < 0) {
            return false;
        }
        if (good && (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS)) {
            good = false;
            end_all(pids, count);
        }
    }
    return good;
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

bool carry_out(const struct words *words, struct outcome *outcome)
{
    static pid_t pids[MOST_PROCESSES];
    int forked = 0;
    struct shared *const shared = share(words->processes);
    const int64_t case_ns = now_ns();
    if (shared == NULL) {
        return false;
    }
    for (; forked < words->processes; forked++) {
        pids[forked] = fork();
        if (pids[forked] < 0) {
            perror("nfs-stream: fork");
            end_all(pids, forked);
            break;
        }
        if (pids[forked] == 0) {
            char name[NAME];
            (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
            _exit(live(words, shared, forked + 1, name_of(name, case_ns, forked + 1)) ? EXIT_SUCCESS : EXIT_FAILURE);
        }
    }
    const bool good = all_succeed(pids, forked) && forked == words->processes;
    for (int i = 1; !good && i <= words->processes; i++) {
        char name[NAME];
        forget(words, name_of(name, case_ns, i) + 1);
    }
    *outcome = shared->outcomes[0];
    for (int i = 1; i < words->processes; i++) {
        add(outcome, &shared->outcomes[i]);
    }
    (void)munmap(shared, sizeof *shared);
    return good;
}
