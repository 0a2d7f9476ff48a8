/*
 * pollers WAY COUNT: what one event costs while COUNT descriptors are watched, in ns. A byte is
 * written into one pair of connected sockets after the other, in no order; each time the process
 * waits until some descriptor is readable and reads the byte. WAY is select, poll, epoll or uv.
 */

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

enum { MOST = 10000, ROUNDS = 7 };

static int readers[MOST], writers[MOST];
static int count;
static unsigned long long state = 88172645463325252ULL;

static void stop_with(const char* what) {
    perror(what);
    exit(1);
}

static int any(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)(state % (unsigned)count);
}

/* Of the processor: nobody ever sleeps here, and other programs take none of it. */
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void take(int fd) {
    char byte;
    if (read(fd, &byte, 1) != 1)
        stop_with("read");
}

static void by_select(void) {
    fd_set set;
    int highest = readers[count - 1];
    FD_ZERO(&set);
    for (int i = 0; i < count; i++)
        FD_SET(readers[i], &set);
    if (select(highest + 1, &set, NULL, NULL, NULL) != 1)
        stop_with("select");
    for (int i = 0; i < count; i++)
        if (FD_ISSET(readers[i], &set))
            take(readers[i]);
}

static void by_poll(void) {
    static struct pollfd items[MOST];
    if (items[0].fd != readers[0])
        for (int i = 0; i < count; i++)
            items[i] = (struct pollfd){.fd = readers[i], .events = POLLIN};
    if (poll(items, (nfds_t)count, -1) != 1)
        stop_with("poll");
    for (int i = 0; i < count; i++)
        if (items[i].revents != 0)
            take(items[i].fd);
}

static void by_epoll(void) {
    static int set = -1;
    struct epoll_event event = {.events = EPOLLIN};
    if (set == -1) {
        set = epoll_create1(EPOLL_CLOEXEC);
        for (int i = 0; i < count; i++) {
            event.data.fd = readers[i];
            if (epoll_ctl(set, EPOLL_CTL_ADD, readers[i], &event) != 0)
                stop_with("epoll_ctl");
        }
    }
    if (epoll_wait(set, &event, 1, -1) != 1)
        stop_with("epoll_wait");
    take(event.data.fd);
}

static void on_readable(uv_poll_t* handle, int status, int events) {
    (void)status, (void)events;
    uv_os_fd_t fd;
    uv_fileno((uv_handle_t*)handle, &fd);
    take(fd);
}

static void by_uv(void) {
    static uv_poll_t* handles;
    uv_loop_t* loop = uv_default_loop();
    if (handles == NULL) {
        handles = calloc((size_t)count, sizeof(*handles));
        for (int i = 0; i < count; i++) {
            uv_poll_init(loop, &handles[i], readers[i]);
            uv_poll_start(&handles[i], UV_READABLE, on_readable);
        }
    }
    uv_run(loop, UV_RUN_ONCE);
}

static const struct {
    const char* name;
    void (*wait_and_take)(void);
} ways[] = {{"select", by_select}, {"poll", by_poll}, {"epoll", by_epoll}, {"uv", by_uv}};

static void open_pairs(void) {
    struct rlimit limit = {(rlim_t)(2 * count + 100), (rlim_t)(2 * count + 100)};
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
        exit(77); /* not allowed here */
    for (int i = 0; i < count; i++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) != 0)
            stop_with("socketpair");
        readers[i] = pair[0];
        /* Out of the way: select knows low numbers only. */
        writers[i] = fcntl(pair[1], F_DUPFD, count + 10);
        if (writers[i] == -1)
            stop_with("fcntl");
        close(pair[1]);
    }
}

/* The best of some rounds: others were disturbed. */
static double measure(void (*wait_and_take)(void)) {
    int events = 200000 / (count + 40) + 200;
    double best = 0;
    for (int round = -1; round < ROUNDS; round++) {
        double began = now();
        for (int i = 0; i < events; i++) {
            if (write(writers[any()], "x", 1) != 1)
                stop_with("write");
            wait_and_take();
        }
        double each = (now() - began) / events;
        if (round == 0 || (round > 0 && each < best))
            best = each;
    }
    return best;
}

int main(int argc, char** argv) {
    count = argc == 3 ? atoi(argv[2]) : 0;
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
        if (count > 0 && count <= MOST && strcmp(argv[1], ways[i].name) == 0) {
            open_pairs();
            if (ways[i].wait_and_take == by_select && readers[count - 1] >= FD_SETSIZE)
                return 77;
            printf("%.0f\n", measure(ways[i].wait_and_take));
            return 0;
        }
    fprintf(stderr, "usage: pollers select|poll|epoll|uv COUNT (up to %d)\n", MOST);
    return 1;
}
