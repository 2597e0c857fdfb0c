/*
 * bare_epoll - the least work that a keep-alive HTTP client can do: N connections, one epoll, nothing checked.
 *
 *     bare_epoll PORT PATH CONNECTIONS SECONDS [RATE SEED]
 *
 * With a RATE it polls instead of sleeping: requests arrive at random, so many a second on average (Poisson), each is sent
 * at its instant, and response times count from there to the last byte. Without, every connection is kept busy.
 *
 * Asks 127.0.0.1:PORT for PATH. The first answer tells how long one is, head included; after that only bytes are
 * counted. SO_RCVLOWAT lets the kernel wake the program once an answer. Prints what came of it as one line of JSON.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 20, EVENTS = 256, MOST_CONNECTIONS = 10000, REQUEST_BYTES = 1024, MOST_TIMES = 1 << 20 };

static char buffer[BUFFER_BYTES];
static char request[REQUEST_BYTES];
static size_t request_bytes;
static int connections[MOST_CONNECTIONS];
static size_t received[MOST_CONNECTIONS]; /* of the answer under way */

static void fail(const char *what)
{
    fprintf(stderr, "bare_epoll: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

static int connected(uint16_t port)
{
    const struct sockaddr_in peer = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int on = 1;
    const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0 || connect(connection, (const struct sockaddr *)&peer, sizeof peer) != 0)
        fail("no connection");
    if (setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0)
        fail("TCP_NODELAY");
    return connection;
}

static void ask(int connection)
{
    if (send(connection, request, request_bytes, MSG_NOSIGNAL) != (ssize_t)request_bytes)
        fail("a request");
}

/* The length of a whole answer: that of its head and what Content-Length says. */
static size_t answer_bytes(int connection)
{
    size_t filled = 0;
    ask(connection);
    while (filled + 1 < sizeof buffer) {
        const ssize_t bytes = recv(connection, buffer + filled, sizeof buffer - 1 - filled, 0);
        if (bytes <= 0)
            fail("the first answer");
        filled += (size_t)bytes;
        buffer[filled] = '\0';
        const char *end = strstr(buffer, "\r\n\r\n");
        const char *length = strcasestr(buffer, "\r\nContent-Length:");
        if (end == NULL || length == NULL)
            continue;
        const size_t whole = (size_t)(end - buffer) + 4 + strtoul(length + 17, NULL, 10);
        if (filled == whole)
            return whole;
    }
    errno = EMSGSIZE;
    fail("the first answer");
    return 0;
}

static uint64_t drive(int epoll, size_t whole, uint64_t until_ns)
{
    struct epoll_event events[EVENTS];
    uint64_t answers = 0;
    while (now_ns() < until_ns) {
        const int ready = epoll_wait(epoll, events, EVENTS, 100);
        for (int each = 0; each < ready; each++) {
            const uint32_t user = events[each].data.u32;
            const ssize_t bytes = recv(connections[user], buffer, sizeof buffer, MSG_DONTWAIT);
            if (bytes <= 0)
                fail("an answer");
            received[user] += (size_t)bytes;
            if (received[user] < whole)
                continue;
            received[user] = 0;
            answers++;
            ask(connections[user]);
        }
    }
    return answers;
}

static uint64_t state;

/* A number from 0 (excluded) to 1, from a seed: xorshift64* (Marsaglia 2003, Vigna 2016). */
static double chance(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return ((double)((state * 2685821657736338717U) >> 11) + 1.0) / 9007199254740993.0;
}

static int by_size(const void *one, const void *other)
{
    const uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

/* Sends at each intended instant and polls in between; gives the median response time in ns. */
static uint64_t poll_at(int epoll, size_t whole, uint32_t users, double rate, uint64_t until_ns, uint64_t *answers)
{
    static uint64_t intended_ns[MOST_CONNECTIONS];
    static uint32_t idle[MOST_CONNECTIONS];
    static uint64_t took_ns[MOST_TIMES];
    struct epoll_event events[EVENTS];
    uint32_t free_ones = 0;
    double next_ns = (double)now_ns();
    for (uint32_t user = 0; user < users; user++)
        idle[free_ones++] = user;
    while (now_ns() < until_ns) {
        while (free_ones > 0 && (double)now_ns() >= next_ns) {
            const uint32_t user = idle[--free_ones];
            intended_ns[user] = (uint64_t)next_ns;
            ask(connections[user]);
            next_ns -= log(chance()) * 1e9 / rate;
        }
        const int ready = epoll_wait(epoll, events, EVENTS, 0);
        for (int each = 0; each < ready; each++) {
            const uint32_t user = events[each].data.u32;
            const ssize_t bytes = recv(connections[user], buffer, sizeof buffer, MSG_DONTWAIT);
            if (bytes <= 0)
                fail("an answer");
            received[user] += (size_t)bytes;
            if (received[user] < whole)
                continue;
            received[user] = 0;
            if (*answers < MOST_TIMES)
                took_ns[(*answers)++] = now_ns() - intended_ns[user];
            idle[free_ones++] = user;
        }
    }
    if (*answers == 0) {
        errno = ETIMEDOUT;
        fail("any answer");
    }
    qsort(took_ns, *answers, sizeof took_ns[0], by_size);
    return took_ns[*answers / 2];
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

/* Opens the connections and watches them; gives the length of a whole answer. */
static size_t open_all(int epoll, uint16_t port, uint32_t users)
{
    size_t whole = 0;
    for (uint32_t user = 0; user < users; user++) {
        connections[user] = connected(port);
        if (user == 0)
            whole = answer_bytes(connections[user]);
        const int least = (int)whole;
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = user};
        if (setsockopt(connections[user], SOL_SOCKET, SO_RCVLOWAT, &least, sizeof least) != 0 ||
            epoll_ctl(epoll, EPOLL_CTL_ADD, connections[user], &event) != 0)
            fail("SO_RCVLOWAT");
    }
    return whole;
}

int main(int count, char **words)
{
    if (count != 5 && count != 7) {
        fputs("bare_epoll PORT PATH CONNECTIONS SECONDS [RATE SEED]\n", stderr);
        return 2;
    }
    const uint16_t port = (uint16_t)strtoul(words[1], NULL, 10);
    const uint32_t users = (uint32_t)strtoul(words[3], NULL, 10);
    const int made = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n\r\n",
                              words[2], (unsigned)port);
    const int epoll = epoll_create1(EPOLL_CLOEXEC);
    if (users < 1 || users > MOST_CONNECTIONS || made < 0 || (size_t)made >= sizeof request || epoll < 0) {
        fputs("bare_epoll: from 1 to 10000 connections, and a path below 900 bytes\n", stderr);
        return 2;
    }
    request_bytes = (size_t)made;
    const size_t whole = open_all(epoll, port, users);
    const uint64_t began_ns = now_ns();
    const uint64_t lasts_ns = (uint64_t)(strtod(words[4], NULL) * 1e9);
    if (count == 7) {
        const double rate = strtod(words[5], NULL);
        state = strtoull(words[6], NULL, 10) * 2U + 1U;
        if (rate < 1 || rate > 1e6) {
            fputs("bare_epoll: from 1 to 1000000 requests a second\n", stderr);
            return 2;
        }
        uint64_t times = 0;
        const uint64_t median_ns = poll_at(epoll, whole, users, rate, began_ns + lasts_ns, &times);
        printf("{\"requests\": %llu, \"response_time_p50_ns\": %llu}\n", (unsigned long long)times,
               (unsigned long long)median_ns);
        return 0;
    }
    for (uint32_t user = 0; user < users; user++)
        ask(connections[user]);
    const uint64_t answers = drive(epoll, whole, began_ns + lasts_ns);
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    printf("{\"requests\": %llu, \"elapsed_s\": %.6f, \"user_s\": %.6f, \"system_s\": %.6f}\n",
           (unsigned long long)answers, (double)(now_ns() - began_ns) / 1e9, seconds(used.ru_utime),
           seconds(used.ru_stime));
    return 0;
}
