#define _GNU_SOURCE /* for prctl and anonymous shared memory */

#include "processes.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void *share_memory(size_t bytes)
{
    void *const shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        perror("shared memory");
        return NULL;
    }
    return shared;
}

bool make_barrier(pthread_barrier_t *barrier, int processes)
{
    pthread_barrierattr_t between;
    return pthread_barrierattr_init(&between) == 0 &&
           pthread_barrierattr_setpshared(&between, PTHREAD_PROCESS_SHARED) == 0 &&
           pthread_barrier_init(barrier, &between, (unsigned)processes) == 0;
}

static void kill_all(const pid_t *pids, int count)
{
    for (int i = 0; i < count; i++) {
        (void)kill(pids[i], SIGKILL);
    }
}

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
            kill_all(pids, count);
        }
    }
    return good;
}

bool run_processes(int count, bool (*work)(void *context, int number), void *context)
{
    int forked = 0;
    pid_t *const pids = calloc((size_t)count, sizeof *pids);
    if (pids == NULL) {
        perror("memory for process ids");
        return false;
    }
    for (; forked < count; forked++) {
        pids[forked] = fork();
        if (pids[forked] < 0) {
            perror("fork");
            kill_all(pids, forked);
            break;
        }
        if (pids[forked] == 0) {
            (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
            _exit(work(context, forked) ? EXIT_SUCCESS : EXIT_FAILURE);
        }
    }
    const bool good = all_succeed(pids, forked) && forked == count;
    free(pids);
    return good;
}
