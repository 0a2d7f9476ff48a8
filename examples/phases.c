/* Prints each phase of the loop as it turns, one line per callback. */

#include <stdio.h>
#include <unistd.h>
#include <uv.h>

static int fds[2];
static uv_idle_t idle;
static uv_prepare_t prepare;
static uv_check_t check;
static uv_timer_t timer;
static uv_async_t async;
static uv_poll_t readable;

/* The loop counts an iteration just before it polls. */
enum moment { BEFORE_POLL = 1, FROM_POLL_ON = 0 };

static int iteration(enum moment moment) {
    uv_metrics_t metrics;
    uv_metrics_info(uv_default_loop(), &metrics);
    return (int)metrics.loop_count + (int)moment;
}

static void show(enum moment moment, const char* phase, const char* what) {
    printf("iteration %d  %-8s %s\n", iteration(moment), phase, what);
}

static void on_close(uv_handle_t* handle) {
    char text[64];
    snprintf(text, sizeof(text), "closed: %s", uv_handle_type_name(handle->type));
    show(FROM_POLL_ON, "closing", text);
}

static void on_second_timer(uv_timer_t* handle) {
    show(BEFORE_POLL, "timers", "10 ms later: the loop slept in poll until now");
    uv_close((uv_handle_t*)handle, on_close);
}

static void on_timer(uv_timer_t* handle) {
    (void)handle;
    show(BEFORE_POLL, "timers", "a timer is due; its callback writes into a pipe");
    if (write(fds[1], "!", 1) != 1)
        perror("write");
}

static void on_idle(uv_idle_t* handle) {
    show(BEFORE_POLL, "idle", "an idle handle keeps the loop from sleeping");
    if (iteration(BEFORE_POLL) == 2)
        uv_close((uv_handle_t*)handle, on_close);
}

static void on_prepare(uv_prepare_t* handle) {
    (void)handle;
    show(BEFORE_POLL, "prepare", "just before the loop looks for events");
}

static void on_readable(uv_poll_t* handle, int status, int events) {
    char byte;
    (void)status, (void)events;
    if (read(fds[0], &byte, 1) == 1)
        show(FROM_POLL_ON, "poll", "the pipe is readable");
    uv_close((uv_handle_t*)handle, on_close);
}

static void on_check(uv_check_t* handle) {
    (void)handle;
    show(FROM_POLL_ON, "check",
         iteration(FROM_POLL_ON) == 1 ? "just after; it sends a wake-up" : "just after");
    if (iteration(FROM_POLL_ON) == 1)
        uv_async_send(&async);
}

static void on_async(uv_async_t* handle) {
    show(FROM_POLL_ON, "poll", "the wake-up has arrived; it starts a timer");
    uv_timer_start(&timer, on_second_timer, 10, 0);
    uv_close((uv_handle_t*)handle, on_close);
    uv_unref((uv_handle_t*)&prepare);
    uv_unref((uv_handle_t*)&check);
}

int main(void) {
    uv_loop_t* loop = uv_default_loop();
    if (pipe(fds) != 0)
        return 1;
    uv_timer_init(loop, &timer);
    uv_idle_init(loop, &idle);
    uv_prepare_init(loop, &prepare);
    uv_check_init(loop, &check);
    uv_async_init(loop, &async, on_async);
    uv_poll_init(loop, &readable, fds[0]);
    uv_timer_start(&timer, on_timer, 0, 0);
    uv_idle_start(&idle, on_idle);
    uv_prepare_start(&prepare, on_prepare);
    uv_check_start(&check, on_check);
    uv_poll_start(&readable, UV_READABLE, on_readable);
    uv_run(loop, UV_RUN_DEFAULT);
    printf("nothing keeps the loop alive any more: uv_run returns\n");
    uv_close((uv_handle_t*)&prepare, NULL);
    uv_close((uv_handle_t*)&check, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
    return uv_loop_close(loop);
}
