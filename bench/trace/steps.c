/*
 * steps CASE COUNT: does one thing so many times, for a tool that counts instructions. The
 * difference between two counts is what the thing itself takes.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <uv.h>

static long left;
static uv_pipe_t near_end, far_end;
static uv_timer_t timer;

static void on_idle(uv_idle_t* idle) {
    if (--left == 0)
        uv_close((uv_handle_t*)idle, NULL);
}

/* An iteration with one callback. */
static void iterate(uv_loop_t* loop) {
    static uv_idle_t idle;
    uv_idle_init(loop, &idle);
    uv_idle_start(&idle, on_idle);
    uv_run(loop, UV_RUN_DEFAULT);
}

static void on_timer(uv_timer_t* handle) {
    (void)handle;
    left--;
}

/* A timer that is due at once: it is started, fires, and nothing else happens. */
static void fire(uv_loop_t* loop) {
    uv_timer_init(loop, &timer);
    while (left > 0) {
        uv_timer_start(&timer, on_timer, 0, 0);
        uv_run(loop, UV_RUN_NOWAIT);
    }
}

static void on_async(uv_async_t* async) {
    if (--left > 0)
        uv_async_send(async);
    else
        uv_close((uv_handle_t*)async, NULL);
}

static void wake(uv_loop_t* loop) {
    static uv_async_t async;
    uv_async_init(loop, &async, on_async);
    uv_async_send(&async);
    uv_run(loop, UV_RUN_DEFAULT);
}

static void on_alloc(uv_handle_t* handle, size_t size, uv_buf_t* buf) {
    static char memory[64];
    (void)handle;
    (void)size;
    *buf = uv_buf_init(memory, sizeof(memory));
}

static void send_one(uv_stream_t* to) {
    static uv_write_t request;
    uv_buf_t byte = uv_buf_init("x", 1);
    uv_write(&request, to, &byte, 1, NULL);
}

static void on_read(uv_stream_t* stream, ssize_t size, const uv_buf_t* buf) {
    (void)size;
    (void)buf;
    if (--left > 0) {
        send_one(stream);
    } else {
        uv_close((uv_handle_t*)&near_end, NULL);
        uv_close((uv_handle_t*)&far_end, NULL);
    }
}

/* A byte goes to and fro. */
static void echo(uv_loop_t* loop) {
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) != 0)
        exit(1);
    uv_pipe_t* ends[] = {&near_end, &far_end};
    for (int i = 0; i < 2; i++) {
        uv_pipe_init(loop, ends[i], 0);
        uv_pipe_open(ends[i], fds[i]);
        uv_read_start((uv_stream_t*)ends[i], on_alloc, on_read);
    }
    send_one((uv_stream_t*)&near_end);
    uv_run(loop, UV_RUN_DEFAULT);
}

int main(int argc, char** argv) {
    static const struct {
        const char* name;
        void (*run)(uv_loop_t* loop);
    } cases[] = {{"iteration", iterate}, {"timer", fire}, {"wake-up", wake}, {"echo", echo}};
    left = argc > 2 ? atol(argv[2]) : 0;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]) && left > 0; i++)
        if (strcmp(argv[1], cases[i].name) == 0) {
            cases[i].run(uv_default_loop());
            return 0;
        }
    fprintf(stderr, "usage: steps iteration|timer|wake-up|echo COUNT\n");
    return 2;
}
