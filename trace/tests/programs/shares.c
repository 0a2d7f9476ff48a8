/* shares WAY: callbacks that take long, each for another reason. */

#include <fcntl.h>
#include <phasor.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

enum { HOGS = 4, PIECES = 20, NAP_MS = 60, OUTSIDE_MS = 30, TURNS = 5 };
#define PIECE_MS 0.3

static uv_timer_t timer;

static double clock_ms(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Until the thread has had a processor for so long. */
static void run_for(double ms) {
    double end = clock_ms(CLOCK_THREAD_CPUTIME_ID) + ms;
    while (clock_ms(CLOCK_THREAD_CPUTIME_ID) < end)
        for (volatile int i = 0; i < 1000; i++)
            continue;
}

/* Programs that want the same processor, as long as this one lives. */
static void make_hogs(void) {
    cpu_set_t set;
    sched_getaffinity(0, sizeof(set), &set);
    int first = 0;
    while (!CPU_ISSET(first, &set))
        first++;
    CPU_ZERO(&set);
    CPU_SET(first, &set);
    sched_setaffinity(0, sizeof(set), &set);
    for (int i = 0; i < HOGS; i++)
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (;;)
                continue;
        }
}

/* Does little, and lets others go first. */
static void innocent(uv_timer_t* handle) {
    double began = clock_ms(CLOCK_MONOTONIC), ran = clock_ms(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < PIECES; i++) {
        run_for(PIECE_MS);
        sched_yield();
    }
    printf("{\"took\": %f, \"ran\": %f}\n", clock_ms(CLOCK_MONOTONIC) - began,
           clock_ms(CLOCK_THREAD_CPUTIME_ID) - ran);
    uv_close((uv_handle_t*)handle, NULL);
}

/* As much each time, whoever else wants the processor. */
static void steady(uv_timer_t* handle) {
    static int calls;
    for (int i = 0; i < PIECES / 2; i++) {
        run_for(PIECE_MS);
        sched_yield();
    }
    if (++calls == 40)
        uv_close((uv_handle_t*)handle, NULL);
    else
        uv_timer_start(handle, steady, 1, 0);
}

static void nap(uv_timer_t* handle) {
    usleep(NAP_MS * 1000);
    uv_close((uv_handle_t*)handle, NULL);
}

/* As daemons do. */
static void close_all(uv_timer_t* handle) {
    for (int fd = 3; fd < 1024; fd++)
        if (fd != uv_backend_fd(handle->loop))
            close(fd);
    run_for(20);
    uv_close((uv_handle_t*)handle, NULL);
}

static void nothing(uv_timer_t* handle) {
    (void)handle;
}

/* A program that turns the loop itself, and works between the turns. */
static int turn_by_hand(uv_loop_t* loop) {
    uv_timer_start(&timer, nothing, 1, 1);
    for (int i = 0; i < TURNS; i++) {
        uv_run(loop, UV_RUN_NOWAIT);
        run_for(OUTSIDE_MS);
    }
    return 0;
}

/* The same that waits between the turns, for something else. */
__attribute__((noinline)) static void fetch(void) {
    usleep(NAP_MS * 1000);
    __asm__ volatile(""); /* so that the call is no jump */
}

static int wait_by_hand(uv_loop_t* loop) {
    uv_timer_start(&timer, nothing, 1, 1);
    for (int i = 0; i < TURNS; i++) {
        uv_run(loop, UV_RUN_NOWAIT);
        fetch();
    }
    return 0;
}

static void stop(uv_timer_t* handle) {
    uv_stop(handle->loop);
}

/* And one that stops it now and then. */
static int stop_and_go(uv_loop_t* loop) {
    uv_timer_start(&timer, stop, 1, 1);
    for (int i = 0; i < TURNS; i++) {
        uv_run(loop, UV_RUN_DEFAULT);
        run_for(OUTSIDE_MS);
    }
    return 0;
}

static void close_timer(uv_timer_t* handle) {
    uv_close((uv_handle_t*)handle, NULL);
}

/* The recording begins in the first of two timers that are due together. */
static void begin_here(uv_timer_t* handle) {
    phasor_trace_start("late");
    uv_close((uv_handle_t*)handle, NULL);
}

static int begin_in_callback(uv_loop_t* loop) {
    static uv_timer_t second;
    uv_timer_init(loop, &second);
    uv_timer_start(&timer, begin_here, 1, 0);
    uv_timer_start(&second, close_timer, 1, 0);
    uv_run(loop, UV_RUN_DEFAULT);
    uv_timer_init(loop, &timer);
    uv_timer_start(&timer, close_timer, 1, 0);
    return uv_run(loop, UV_RUN_DEFAULT);
}

/* A mark, and a stretch from one callback to another. */
static unsigned long long kept;

static void end_stretch(uv_timer_t* handle) {
    unsigned long long across = kept;
    PHASOR_END(across);
    uv_close((uv_handle_t*)handle, NULL);
}

static void begin_stretch(uv_timer_t* handle) {
    PHASOR_MARK("cache is warm");
    PHASOR_BEGIN(parsing);
    run_for(3);
    PHASOR_END(parsing);
    PHASOR_BEGIN(across);
    kept = across;
    uv_update_time(handle->loop);
    uv_timer_start(handle, end_stretch, 5, 0);
}

int main(int argc, char** argv) {
    const char* way = argc > 1 ? argv[1] : "";
    uv_loop_t* loop = uv_default_loop();
    uv_timer_init(loop, &timer);
    if (strcmp(way, "outside") == 0)
        return turn_by_hand(loop);
    if (strcmp(way, "waits") == 0)
        return wait_by_hand(loop);
    if (strcmp(way, "stop") == 0)
        return stop_and_go(loop);
    if (strcmp(way, "begin") == 0)
        return begin_in_callback(loop);
    if (strcmp(way, "hogged") == 0 || strcmp(way, "hogged-steady") == 0)
        make_hogs();
    uv_timer_start(&timer,
                   strcmp(way, "nap") == 0         ? nap
                   : strstr(way, "steady") != NULL ? steady
                   : strcmp(way, "closed") == 0    ? close_all
                   : strcmp(way, "marks") == 0     ? begin_stretch
                                                   : innocent,
                   1, 0);
    return uv_run(loop, UV_RUN_DEFAULT);
}
