#define _GNU_SOURCE /* for sched_setaffinity, prctl and anonymous shared memory */

#include "copies.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CPU_SETS = 8, MOST_CPUS = CPU_SETS * CPU_SETSIZE };

/* Found by measurement: README.md, "Warm-up". */
static const int64_t WARM_UP_NS = 50000000;

struct shared {
    pthread_barrier_t ready;
    struct outcome outcomes[MOST_COPIES];
};

static int64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Pin this process to the allowed CPU of that number, starting again at the first after the last. */
static bool pin(int number)
{
    cpu_set_t allowed[CPU_SETS], one[CPU_SETS];
    memset(one, 0, sizeof one);
    if (sched_getaffinity(0, sizeof allowed, allowed) != 0) {
        return false;
    }
    int wanted = number % CPU_COUNT_S(sizeof allowed, allowed);
    for (int cpu = 0; cpu < MOST_CPUS; cpu++) {
        if (CPU_ISSET_S((size_t)cpu, sizeof allowed, allowed) && wanted-- == 0) {
            CPU_SET_S((size_t)cpu, sizeof one, one);
        }
    }
    return sched_setaffinity(0, sizeof one, one) == 0;
}

/* Iterate for that long, at least once, and write the outcome into `done`. */
static void iterate_for(const struct kernel *kernel, int64_t long_ns, struct outcome *done)
{
    done->iterations = 0;
    done->from_ns = now_ns();
    do {
        done->steady = kernel->iterate() == done->answer && done->steady;
        done->iterations++;
        done->to_ns = now_ns();
    } while (done->to_ns - done->from_ns < long_ns);
}

/* One copy: set up, check, warm up, wait for the others, work, check again. */
static int work(const struct kernel *kernel, const struct order *order, struct shared *shared, int number)
{
    const int64_t long_ns = (int64_t)(order->seconds * 1e9);
    struct outcome done = {.steady = true};
    if (!pin(number) || !kernel->prepare(order->input)) {
        perror(kernel->name);
        return EXIT_FAILURE;
    }
    done.answer = kernel->iterate();
    iterate_for(kernel, long_ns < WARM_UP_NS ? long_ns : WARM_UP_NS, &done);
    (void)pthread_barrier_wait(&shared->ready);
    iterate_for(kernel, long_ns, &done);
    done.steady = kernel->iterate() == done.answer && done.steady;
    shared->outcomes[number] = done;
    return EXIT_SUCCESS;
}

static struct shared *share(int copies)
{
    pthread_barrierattr_t between_processes;
    struct shared *const shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || pthread_barrierattr_init(&between_processes) != 0 ||
        pthread_barrierattr_setpshared(&between_processes, PTHREAD_PROCESS_SHARED) != 0 ||
        pthread_barrier_init(&shared->ready, &between_processes, (unsigned)copies) != 0) {
        perror("c-kernels: shared memory");
        return NULL;
    }
    return shared;
}

/* Wait for all. When one fails, the others would wait for it forever, so they are killed. */
static bool all_succeed(const pid_t *pids, int count)
{
    bool good = true;
    for (int left = count; left > 0; left--) {
        int status = 0;
        if (wait(&status) < 0) {
            return false;
        }
        if (good && (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS)) {
            good = false;
            for (int i = 0; i < count; i++) {
                (void)kill(pids[i], SIGKILL);
            }
        }
    }
    return good;
}

bool run_copies(const struct kernel *kernel, const struct order *order, struct outcome *outcomes)
{
    pid_t pids[MOST_COPIES];
    int forked = 0;
    struct shared *const shared = share(order->copies);
    if (shared == NULL) {
        return false;
    }
    for (; forked < order->copies; forked++) {
        pids[forked] = fork();
        if (pids[forked] < 0) {
            perror("c-kernels: fork");
            break;
        }
        if (pids[forked] == 0) {
            (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
            _exit(work(kernel, order, shared, forked));
        }
    }
    if (forked < order->copies) {
        for (int i = 0; i < forked; i++) {
            (void)kill(pids[i], SIGKILL);
        }
    }
    const bool good = all_succeed(pids, forked) && forked == order->copies;
    memcpy(outcomes, shared->outcomes, (size_t)order->copies * sizeof *outcomes);
    (void)munmap(shared, sizeof *shared);
    return good;
}
