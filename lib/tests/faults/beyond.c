// wrap: pthread_create epoll_pwait2 posix_openpt unlockpt ioctl getsockopt sendmsg socketpair
/* What goes beyond libuv, where the system refuses. */

#include <netinet/in.h>
#include <phasor.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <uv.h>

#include "refuse.h"

REPLACE_RETURNING(pthread_create,
                  (pthread_t * thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* arg),
                  thread, attributes, start, arg)
REPLACE(int, epoll_pwait2,
        (int fd, struct epoll_event* events, int max, const struct timespec* time,
         const sigset_t* mask),
        fd, events, max, time, mask)
REPLACE(int, posix_openpt, (int flags), flags)
REPLACE(int, unlockpt, (int fd), fd)
REPLACE(int, getsockopt, (int fd, int level, int name, void* value, socklen_t* size), fd, level,
        name, value, size)
REPLACE(ssize_t, sendmsg, (int fd, const struct msghdr* message, int flags), fd, message, flags)
REPLACE(int, socketpair, (int domain, int type, int protocol, int* ends), domain, type, protocol,
        ends)

int __real_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...) {
    va_list args;
    va_start(args, request);
    void* arg = va_arg(args, void*);
    va_end(args);
    return is_refused("ioctl") ? -1 : __real_ioctl(fd, request, arg);
}

static uv_loop_t loop;
static int ran, ended;

static void count_run(uv_work_t* req) {
    (void)req;
    __atomic_add_fetch(&ran, 1, __ATOMIC_SEQ_CST);
}

static void count_end(uv_work_t* req, int status) {
    (void)req;
    CHECK_EQ(status, 0);
    ended++;
}

TEST(a_pool_without_any_thread_refuses_work_and_takes_it_when_there_is_one) {
    phasor_pool_t* pool;
    uv_work_t req[3];
    struct phasor_pool_figures figures;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(phasor_pool_new(&pool, &(struct phasor_pool_options){.threads_least = 2}));
    refuse("pthread_create", 0, -1, EAGAIN);
    CHECK_EQ(phasor_pool_queue(pool, &loop, &req[0], 0, count_run, count_end), UV_EAGAIN);
    CHECK(!uv_loop_alive(&loop));
    phasor_pool_look(pool, &figures);
    CHECK_EQ(figures.queued, 0);
    refuse("pthread_create", 1, -1, EAGAIN); /* one thread can be had */
    for (int i = 0; i < 3; i++)
        CHECK_OK(phasor_pool_queue(pool, &loop, &req[i], 0, count_run, count_end));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(ran, 3);
    CHECK_EQ(ended, 3);
    allow_all();
    CHECK_OK(phasor_pool_free(pool));
    CHECK_OK(uv_loop_close(&loop));
}

static bool no_memory;

static void* my_calloc(size_t count, size_t size) {
    return no_memory ? NULL : calloc(count, size);
}

TEST(a_pool_without_memory_says_so) {
    phasor_pool_t* pool;
    uv_work_t req;
    const struct phasor_pool_options options = {.threads_least = 1};
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_replace_allocator(malloc, realloc, my_calloc, free));
    no_memory = true;
    CHECK_EQ(phasor_pool_new(&pool, &options), UV_ENOMEM);
    no_memory = false;
    CHECK_OK(phasor_pool_new(&pool, &options));
    no_memory = true;
    CHECK_EQ(phasor_pool_queue(pool, &loop, &req, 0, count_run, count_end), UV_ENOMEM);
    no_memory = false;
    CHECK(!uv_loop_alive(&loop));
    CHECK_OK(phasor_pool_free(pool));
    CHECK_OK(uv_loop_close(&loop));
}

static void on_timer(phasor_timer_t* timer) {
    (void)timer;
    ran++;
}

static void run_timer(void) {
    phasor_timer_t timer;
    CHECK_OK(uv_loop_init(&loop));
    phasor_timer_init(&loop, &timer);
    uint64_t began = uv_hrtime();
    CHECK_OK(phasor_timer_start(&timer, on_timer, 20200000, 0));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_GE(uv_hrtime() - began, 20200000);
    CHECK_EQ(ran, 1);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(timers_come_in_milliseconds_where_the_kernel_has_no_shorter_wait) {
    refuse("epoll_pwait2", 0, 1, ENOSYS);
    run_timer();
    CHECK_EQ(refusal.count, 1);
}

TEST(timers_come_in_milliseconds_where_a_sandbox_refuses_the_shorter_wait) {
    refuse("epoll_pwait2", 0, 1, EPERM);
    run_timer();
    CHECK_EQ(refusal.count, 1);
}

TEST(timers_come_in_milliseconds_where_a_sandbox_denies_the_shorter_wait) {
    refuse("epoll_pwait2", 0, 1, EACCES);
    run_timer();
    CHECK_EQ(refusal.count, 1);
}

TEST(timers_survive_a_signal_in_their_wait) {
    refuse("epoll_pwait2", 0, 1, EINTR);
    run_timer();
    CHECK_EQ(refusal.count, 1);
}

static int spawn_in_terminal(void) {
    static uv_process_t process;
    static uv_pipe_t terminal;
    const struct phasor_terminal_size size = {.columns = 80, .rows = 25};
    uv_process_options_t options = {.file = "true"};
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_pipe_init(&loop, &terminal, 0));
    int err = phasor_spawn_in_terminal(&loop, &process, &options, &terminal, &size);
    uv_close((uv_handle_t*)&process, NULL);
    uv_close((uv_handle_t*)&terminal, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    return err;
}

TEST(a_terminal_that_can_not_be_had_is_an_error_of_the_spawn) {
    const struct refused_case cases[] = {
        {"posix_openpt", 0, EMFILE, spawn_in_terminal, UV_EMFILE},
        {"unlockpt", 0, EINVAL, spawn_in_terminal, UV_EINVAL},
        {"ioctl", 0, ENOTTY, spawn_in_terminal, UV_ENOTTY},
    };
    RUN_CASES(cases);
}

static int send_segments(void) {
    static char bytes[3000];
    uv_udp_t udp;
    struct sockaddr_in to;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_OK(uv_ip4_addr("127.0.0.1", 9, &to));
    uv_buf_t buf = uv_buf_init(bytes, sizeof(bytes));
    int err = phasor_udp_try_send_segments(&udp, &buf, 1000, (const struct sockaddr*)&to);
    uv_close((uv_handle_t*)&udp, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    return err;
}

TEST(segments_that_the_system_does_not_send_are_an_error) {
    const struct refused_case cases[] = {
        {"getsockopt", 0, ENOPROTOOPT, send_segments, UV_ENOTSUP},
        {"sendmsg", 0, EIO, send_segments, UV_ENOTSUP},
        {"sendmsg", 0, EAGAIN, send_segments, UV_EAGAIN},
        {"sendmsg", 0, ENOBUFS, send_segments, UV_EAGAIN},
        {"sendmsg", 0, EINTR, send_segments, 3000},
    };
    RUN_CASES(cases);
}

static int make_pair(void) {
    uv_udp_t one, other;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &one));
    CHECK_OK(uv_udp_init(&loop, &other));
    int err = phasor_udp_pair(&one, &other);
    uv_close((uv_handle_t*)&one, NULL);
    uv_close((uv_handle_t*)&other, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    return err;
}

TEST(a_pair_that_can_not_be_made_leaves_both_handles_without_a_socket) {
    const struct refused_case cases[] = {
        {"socketpair", 0, EMFILE, make_pair, UV_EMFILE},
        {"getsockopt", 0, EBADF, make_pair, UV_EBADF},
        {"getsockopt", 1, EBADF, make_pair, UV_EBADF},
    };
    RUN_CASES(cases);
}
