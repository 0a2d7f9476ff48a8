/* Callbacks that take long, for their stacks: stacks MODE. */

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

enum { LOOPS = 5, LONG_MS = 100 };

static _Thread_local volatile unsigned work;

/* By the thread's own clock: on a busy machine it takes longer. */
static uint64_t ran(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

__attribute__((noinline)) static void grind(uint64_t until) {
    while (ran() < until)
        for (unsigned i = 0; i < 2000; i++)
            work += i;
}

__attribute__((noinline)) static void crunch(unsigned ms) {
    grind(ran() + ms * 1000000ull);
    work++; /* so that the call is no jump */
}

static void on_deep(uv_timer_t* handle) {
    crunch(LONG_MS);
    uv_close((uv_handle_t*)handle, NULL);
}

/* Nearly always inside of what the kernel has put into the process. */
__attribute__((noinline)) static void watch_the_clock(uint64_t until) {
    while (ran() < until)
        continue;
}

static void on_clock(uv_timer_t* handle) {
    watch_the_clock(ran() + LONG_MS * 1000000ull);
    uv_close((uv_handle_t*)handle, NULL);
}

static void run_timer(uv_timer_cb callback) {
    uv_loop_t loop;
    uv_timer_t timer;
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, callback, 1, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
}

/* Calls that a signal would end early, whatever the handler's flags are. */
static void on_sleep(uv_timer_t* handle) {
    const struct timespec pause = {.tv_nsec = 3000000};
    int early = 0;
    for (int i = 0; i < 30; i++) {
        early += nanosleep(&pause, NULL) != 0;
        early += poll(NULL, 0, 3) != 0;
    }
    printf("%d calls ended early\n", early);
    uv_close((uv_handle_t*)handle, NULL);
}

static volatile sig_atomic_t caught;

static void on_signal(int number) {
    (void)number;
    caught++;
}

/* All signals have a handler of the program's: none is left for others. */
static void on_signals(uv_timer_t* handle) {
    struct sigaction action = {.sa_handler = on_signal};
    for (int i = SIGRTMIN; i <= SIGRTMAX; i++)
        sigaction(i, &action, NULL);
    sigaction(SIGURG, &action, NULL);
    crunch(LONG_MS);
    printf("%d signals were caught\n", (int)caught);
    uv_close((uv_handle_t*)handle, NULL);
}

/* The thread holds everything back, and becomes another program in the end. */
static void on_blocked(uv_timer_t* handle) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    crunch(LONG_MS);
    uv_close((uv_handle_t*)handle, NULL);
}

static void become_another(void) {
    run_timer(on_blocked);
    execlp("sh", "sh", "-c", "echo became another", (char*)NULL);
}

/* In the middle of a long callback, again and again. */
static const char* times_left;

static void on_becoming(uv_timer_t* handle) {
    char next[16];
    snprintf(next, sizeof(next), "%d", atoi(times_left) - 1);
    (void)handle;
    crunch(15);
    if (atoi(times_left) > 0)
        execl("/proc/self/exe", "stacks", "becomes", next, (char*)NULL);
    puts("became them all");
    exit(0);
}

static void become_many(const char* times) {
    times_left = times;
    run_timer(on_becoming);
}

static void run_loop(void* unused) {
    (void)unused;
    run_timer(on_deep);
}

static void run_five(void) {
    uv_thread_t threads[LOOPS];
    for (int i = 0; i < LOOPS; i++)
        uv_thread_create(&threads[i], run_loop, NULL);
    for (int i = 0; i < LOOPS; i++)
        uv_thread_join(&threads[i]);
    printf("five loops\n");
}

/* While the parent is being looked at. */
static void on_fork(uv_timer_t* handle) {
    crunch(LONG_MS / 2);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        run_timer(on_deep);
        _exit(0);
    }
    crunch(LONG_MS / 2);
    int status = 1;
    waitpid(pid, &status, 0);
    printf("the child ended with %d\n", status);
    uv_close((uv_handle_t*)handle, NULL);
}

int main(int argc, char** argv) {
    const char* mode = argc > 1 ? argv[1] : "";
    if (strcmp(mode, "deep") == 0)
        run_timer(on_deep);
    else if (strcmp(mode, "clock") == 0)
        run_timer(on_clock);
    else if (strcmp(mode, "sleep") == 0)
        run_timer(on_sleep);
    else if (strcmp(mode, "signals") == 0)
        run_timer(on_signals);
    else if (strcmp(mode, "blocked") == 0)
        become_another();
    else if (strcmp(mode, "becomes") == 0)
        become_many(argc > 2 ? argv[2] : "0");
    else if (strcmp(mode, "five") == 0)
        run_five();
    else if (strcmp(mode, "fork") == 0)
        run_timer(on_fork);
    else
        return 2;
    return 0;
}
