/* The loop inside a program with an epoll set of its own, which also has a clock to look after. */

#include <errno.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "embedded.h"

static int watch(int set, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    return epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : -errno;
}

int main(void) {
    uv_loop_t* loop = uv_default_loop();
    struct itimerspec once = {.it_value.tv_nsec = 1000000};
    struct epoll_event event;
    int runs = 0;
    int set = epoll_create1(EPOLL_CLOEXEC);
    int clock = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    must(set == -1 || clock == -1 ? -errno : 0, "descriptors");
    must(timerfd_settime(clock, 0, &once, NULL) == 0 ? 0 : -errno, "clock");
    must(watch(set, clock), "watch");
    must(watch(set, uv_backend_fd(loop)), "watch");

    start_embedded(loop);
    do {
        int count = epoll_wait(set, &event, 1, uv_backend_timeout(loop));
        if (count == -1 && errno != EINTR)
            must(-errno, "epoll_wait");
        if (count == 1 && event.data.fd == clock) {
            puts("the program's own clock");
            close(clock);
        }
        runs++;
    } while (uv_run(loop, UV_RUN_NOWAIT) != 0);
    say_runs(runs);
    close(set);
    return close_loop(loop);
}
