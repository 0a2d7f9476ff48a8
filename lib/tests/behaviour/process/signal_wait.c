/* What a signal finds when it cuts a wait short. */

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static uv_loop_t loop;
static uv_poll_t reader;
static uv_signal_t watcher;
static int ends[2];
static pthread_t looping;
static char order[8];

/* The program's own handler, during the wait: a byte first, then a signal that the loop watches. */
static void write_and_raise(int signum) {
    (void)signum;
    CHECK_EQ(write(ends[1], "x", 1), 1);
    raise(SIGUSR1);
}

static void on_readable(uv_poll_t* handle, int status, int events) {
    CHECK_OK(status);
    CHECK_EQ(events, UV_READABLE);
    strcat(order, "r");
    uv_close((uv_handle_t*)handle, NULL);
}

static void on_signal(uv_signal_t* handle, int signum) {
    CHECK_EQ(signum, SIGUSR1);
    strcat(order, "s");
    uv_close((uv_handle_t*)handle, NULL);
}

static void* interrupt_the_wait(void* nothing) {
    uv_sleep(20);
    CHECK_OK(pthread_kill(looping, SIGUSR2));
    return nothing;
}

TEST(signal_that_cuts_a_wait_short_comes_after_what_was_ready_before_it) {
    pthread_t interrupter;
    struct sigaction action = {.sa_handler = write_and_raise};
    looping = pthread_self();
    CHECK_OK(pipe(ends));
    CHECK_OK(sigaction(SIGUSR2, &action, NULL));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &reader, ends[0]));
    CHECK_OK(uv_poll_start(&reader, UV_READABLE, on_readable));
    CHECK_OK(uv_signal_init(&loop, &watcher));
    CHECK_OK(uv_signal_start(&watcher, on_signal, SIGUSR1));
    CHECK_OK(pthread_create(&interrupter, NULL, interrupt_the_wait, NULL));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(pthread_join(interrupter, NULL));
    CHECK_STR(order, "rs");
    CHECK_OK(uv_loop_close(&loop));
    close(ends[0]);
    close(ends[1]);
}
