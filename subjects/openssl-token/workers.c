#define _POSIX_C_SOURCE 200809L /* for sigaction and barriers */

#include "workers.h"

#include "processes.h"
#include "signer.h"
#include "token.h"

#include <openssl/err.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

enum { KEPT = 64 };

struct shared {
    pthread_barrier_t ready;
    struct outcome outcomes[MOST_PROCESSES];
};

/* What every process is given. */
struct task {
    const struct order *order;
    struct shared *shared;
};

/* Signatures kept for checking: of all that were made every `stride`-th, at most KEPT. */
struct sample {
    uint64_t stride;
    int count;
    struct signature kept[KEPT];
};

static volatile sig_atomic_t over;

static void ring(int signal_number)
{
    (void)signal_number;
    over = 1;
}

/* A timer ends the work, so that no clock is read between two operations. */
static bool set_alarm(double seconds)
{
    const struct sigaction action = {.sa_handler = ring, .sa_flags = SA_RESTART};
    const struct itimerval once = {
        .it_value = {.tv_sec = (time_t)seconds, .tv_usec = (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6)}};
    over = 0;
    return sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &once, NULL) == 0;
}

static void keep(struct sample *sample, const struct signature *made)
{
    if (made->number % sample->stride != 0) {
        return;
    }
    if (sample->count == KEPT) {
        for (int i = 0; i < KEPT / 2; i++) {
            sample->kept[i] = sample->kept[2 * i];
        }
        sample->count = KEPT / 2;
        sample->stride *= 2;
        if (made->number % sample->stride != 0) {
            return;
        }
    }
    sample->kept[sample->count++] = *made;
}

static bool sign_on(struct signer *signer, struct sample *sample, struct outcome *done)
{
    struct signature made;
    do {
        if (!sign(signer, done->work, &made)) {
            return false;
        }
        keep(sample, &made);
        done->work++;
    } while (!over);
    return true;
}

static bool verify_on(struct signer *judge, const struct signature *made, struct outcome *done)
{
    do {
        if (!verify(judge, made)) {
            return false;
        }
        done->work++;
    } while (!over);
    return true;
}

/* Whether the judge accepts a right signature and rejects a changed one; otherwise `answer` has what it does. */
static bool judges(struct signer *judge, const struct signature *made, char answer[REASON])
{
    struct signature spoiled = *made;
    spoiled.bytes[spoiled.length / 2] ^= 1;
    if (!verify(judge, made)) {
        (void)snprintf(answer, REASON, "a signature does not verify with the public key");
        return false;
    }
    if (verify(judge, &spoiled)) {
        (void)snprintf(answer, REASON, "a spoiled signature was taken for a right one");
        return false;
    }
    return true;
}

static void check(struct signer *judge, const struct sample *sample, char answer[REASON])
{
    int wrong = 0;
    for (int i = 0; i < sample->count; i++) {
        wrong += !verify(judge, &sample->kept[i]);
    }
    if (wrong > 0) {
        (void)snprintf(answer, REASON, "%d of %d signatures do not verify", wrong, sample->count);
    }
}

/* The keys of a process, and its first signature. */
struct tools {
    struct signer signer;
    struct signer judge;
    struct signature first;
};

/* Open the key and make a first signature; if that fails, `refused` has the reason. */
static bool open_tools(const struct order *order, struct tools *tools, struct outcome *done)
{
    ERR_clear_error();
    EVP_PKEY *const secret = order->source->token ? opened_in_token(order->source, order->pair->kind, done->refused)
                                                  : order->pair->secret;
    if (secret == NULL) {
        return false;
    }
    if (!get_ready(&tools->signer, secret, false) || !get_ready(&tools->judge, order->judge, true) ||
        !sign(&tools->signer, 0, &tools->first)) {
        last_error(done->refused, "it does not sign with such a key");
        return false;
    }
    return true;
}

static bool work(const struct order *order, struct tools *tools, bool sound, struct outcome *done)
{
    static struct sample sample;
    sample = (struct sample){.stride = 1};
    done->from_ns = now_ns();
    if (!set_alarm(order->seconds)) {
        return false;
    }
    const bool whole = order->verifies ? verify_on(&tools->judge, &tools->first, done)
                                       : sign_on(&tools->signer, &sample, done);
    done->to_ns = now_ns();
    if (sound && !whole) {
        (void)snprintf(done->answer, REASON, "operation %llu failed", (unsigned long long)done->work);
    } else if (sound) {
        check(&tools->judge, &sample, done->answer);
    }
    return true;
}

/* One process: open the key, check, wait for the others, work, check again. If the key does not support it, the process
 * waits for the others too: if they were killed while they open theirs, the token would be broken. */
static bool live(const struct order *order, struct shared *shared, int number)
{
    static struct tools tools;
    struct outcome *const done = &shared->outcomes[number];
    const int lock = order->source->token ? lock_token(order->source) : -1;
    if (order->source->token && lock < 0) {
        return false;
    }
    (void)snprintf(done->answer, REASON, "verified");
    const bool opened = open_tools(order, &tools, done);
    if (lock >= 0) {
        (void)close(lock);
    }
    const bool sound = opened && judges(&tools.judge, &tools.first, done->answer);
    (void)pthread_barrier_wait(&shared->ready);
    if (!opened) {
        return true;
    }
    const bool good = work(order, &tools, sound, done);
    put_away(&tools.signer);
    put_away(&tools.judge);
    return good;
}

static struct shared *share(int processes)
{
    struct shared *const shared = share_memory(sizeof *shared);
    if (shared != NULL && !make_barrier(&shared->ready, processes)) {
        (void)fputs("openssl-token: a barrier between processes cannot be made\n", stderr);
        return NULL;
    }
    return shared;
}

static void add(struct outcome *sum, const struct outcome *one)
{
    sum->work += one->work;
    sum->from_ns = one->from_ns < sum->from_ns ? one->from_ns : sum->from_ns;
    sum->to_ns = one->to_ns > sum->to_ns ? one->to_ns : sum->to_ns;
    if (strcmp(one->answer, "verified") != 0) {
        memcpy(sum->answer, one->answer, REASON);
    }
    if (one->refused[0] != '\0') {
        memcpy(sum->refused, one->refused, REASON);
    }
}

static bool do_task(void *context, int number)
{
    const struct task *const task = context;
    return live(task->order, task->shared, number);
}

bool carry_out(const struct order *order, struct outcome *outcome)
{
    struct shared *const shared = share(order->processes);
    struct task task = {.order = order, .shared = shared};
    if (shared == NULL) {
        return false;
    }
    const bool good = run_processes(order->processes, do_task, &task);
    *outcome = shared->outcomes[0];
    for (int i = 1; i < order->processes; i++) {
        add(outcome, &shared->outcomes[i]);
    }
    (void)munmap(shared, sizeof *shared);
    return good;
}
