/* stuck WAY: a loop that does not turn for long. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

static uv_timer_t timer;
static volatile int released;

static void say_ready(void) {
    puts("ready");
    fflush(stdout);
}

static __attribute__((noinline)) void compute_for_ever(void) {
    while (!released)
        continue;
}

static void on_spin(uv_timer_t* handle) {
    (void)handle;
    say_ready();
    compute_for_ever();
    puts("released"); /* so that the call is not the last thing, and has a frame */
}

static __attribute__((noinline)) void wait_for_input(void) {
    char byte;
    if (read(STDIN_FILENO, &byte, 1) != 1)
        return;
}

/* Until a byte comes; then it says what it had before, to show that nothing was disturbed. */
static void on_read(uv_timer_t* handle) {
    volatile double half = 0.5;
    int kept = 42;
    say_ready();
    wait_for_input();
    printf("%d %.1f\n", kept, half + half);
    uv_close((uv_handle_t*)handle, NULL);
}

static void on_hour(uv_timer_t* handle) {
    uv_close((uv_handle_t*)handle, NULL);
}

static void on_signal(uv_signal_t* handle, int signum) {
    (void)signum;
    uv_stop(handle->loop);
}

int main(int argc, char** argv) {
    const char* way = argc > 1 ? argv[1] : "";
    uv_loop_t* loop = uv_default_loop();
    uv_signal_t stop;
    uv_timer_init(loop, &timer);
    if (strcmp(way, "spin") == 0) {
        uv_timer_start(&timer, on_spin, 1, 0);
    } else if (strcmp(way, "read") == 0) {
        uv_timer_start(&timer, on_read, 1, 0);
    } else {
        uv_timer_start(&timer, on_hour, 3600000, 0);
        uv_signal_init(loop, &stop);
        uv_signal_start(&stop, on_signal, SIGTERM);
        say_ready();
    }
    return uv_run(loop, UV_RUN_DEFAULT) != 0 && strcmp(way, "sleep") != 0;
}
