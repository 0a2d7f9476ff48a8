/* endings WAY: programs that end, or do something else that a recording could disturb, inside of
 * their callbacks. What they print and how they end does not depend on time. */

#include <phasor.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

enum { LOOPS = 4, SIGNALS = 50, TURNS = 20 };

static const char* self;
static uv_timer_t timer;

static void call_soon(uv_timer_cb callback) {
    uv_timer_init(uv_default_loop(), &timer);
    uv_timer_start(&timer, callback, 1, 0);
    uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}

/* Not flushed: whoever ends properly flushes it. */
static void say(const char* text) {
    fputs(text, stdout);
}

static void exit_here(uv_timer_t* handle) {
    (void)handle;
    say("exits in a callback\n");
    exit(7);
}

static void leave_here(uv_timer_t* handle) {
    (void)handle;
    say("is never seen\n");
    _exit(8);
}

static void abort_here(uv_timer_t* handle) {
    (void)handle;
    abort();
}

static void crash_here(uv_timer_t* handle) {
    (void)handle;
    raise(SIGSEGV);
}

static void fault_here(uv_timer_t* handle) {
    char* forbidden = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)handle;
    *forbidden = 1;
}

static void kill_here(uv_timer_t* handle) {
    (void)handle;
    raise(SIGKILL);
}

static void terminate_here(uv_timer_t* handle) {
    (void)handle;
    raise(SIGTERM);
}

static void become_another(uv_timer_t* handle) {
    (void)handle;
    execl(self, self, "turn", (char*)NULL);
    _exit(1);
}

/* The child has the loop's memory, but does not touch it. */
static void fork_here(uv_timer_t* handle) {
    int status;
    (void)handle;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        say("the child exits\n");
        exit(3);
    }
    waitpid(pid, &status, 0);
    printf("the child ended with %d\n", WEXITSTATUS(status));
}

static void count_turn(uv_idle_t* handle) {
    int* left = handle->data;
    if (--*left == 0)
        uv_close((uv_handle_t*)handle, NULL);
}

static int turn(uv_loop_t* loop, int times) {
    uv_idle_t idle;
    uv_idle_init(loop, &idle);
    idle.data = &times;
    uv_idle_start(&idle, count_turn);
    return uv_run(loop, UV_RUN_DEFAULT);
}

/* The child goes on in the middle of the callback, returns from it, and turns the loop. */
static void fork_and_go_on(uv_timer_t* handle) {
    int status = 0;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        uv_loop_fork(handle->loop);
        say("the child goes on\n");
        return;
    }
    waitpid(pid, &status, 0);
    printf("the child ended with %d\n", WEXITSTATUS(status));
}

static void turn_for_ever(void* unused) {
    uv_loop_t loop;
    uv_timer_t tick;
    (void)unused;
    uv_loop_init(&loop);
    uv_timer_init(&loop, &tick);
    uv_timer_start(&tick, (uv_timer_cb)abort, 1u << 30, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
}

/* The process ends while other threads are in their loops. */
static void exit_beside_others(uv_timer_t* handle) {
    (void)handle;
    for (int i = 0; i < LOOPS; i++) {
        uv_thread_t thread;
        uv_thread_create(&thread, turn_for_ever, NULL);
        uv_thread_detach(&thread);
    }
    say("exits beside others\n");
    exit(5);
}

static void on_signal(uv_signal_t* handle, int number) {
    int* seen = handle->data;
    if (number == SIGUSR1)
        ++*seen;
    else
        uv_close((uv_handle_t*)handle, NULL);
}

static int count_signals(void) {
    uv_signal_t handles[2];
    int seen = 0;
    for (int i = 0; i < 2; i++) {
        uv_signal_init(uv_default_loop(), &handles[i]);
        handles[i].data = &seen;
        uv_signal_start(&handles[i], on_signal, i == 0 ? SIGUSR1 : SIGUSR2);
    }
    for (int i = 0; i < SIGNALS; i++) {
        raise(SIGUSR1);
        while (seen <= i)
            uv_run(uv_default_loop(), UV_RUN_NOWAIT);
    }
    uv_close((uv_handle_t*)&handles[0], NULL);
    raise(SIGUSR2);
    uv_run(uv_default_loop(), UV_RUN_DEFAULT);
    printf("%d signals\n", seen);
    return 0;
}

static void restart_here(uv_timer_t* handle) {
    static int left = TURNS;
    bool recorded = phasor_trace_active();
    if (recorded)
        phasor_trace_stop();
    if (recorded && phasor_trace_start("again") != 0)
        say("can't start again\n");
    if (--left > 0)
        uv_timer_start(handle, restart_here, left % 3, 0);
}

static void on_exit_of_child(uv_process_t* process, int64_t status, int number) {
    printf("child: %d, %d\n", (int)status, number);
    uv_close((uv_handle_t*)process, NULL);
}

/* Children that end in other ways, recorded too. */
static int spawn_children(void) {
    static char* ways[] = {"exit", "leave", "kill", "turn"};
    for (int i = 0; i < 4; i++) {
        uv_process_t process;
        uv_stdio_container_t inherited[2] = {{.flags = UV_IGNORE}, {.flags = UV_INHERIT_FD}};
        char* arguments[] = {(char*)self, ways[i], NULL};
        uv_process_options_t options = {.exit_cb = on_exit_of_child,
                                        .file = self,
                                        .args = arguments,
                                        .stdio = inherited,
                                        .stdio_count = 2};
        inherited[1].data.fd = 1;
        fflush(stdout);
        if (uv_spawn(uv_default_loop(), &process, &options) != 0)
            return 1;
        uv_run(uv_default_loop(), UV_RUN_DEFAULT);
    }
    return 0;
}

int main(int argc, char** argv) {
    static const struct {
        const char* way;
        uv_timer_cb callback;
    } callbacks[] = {
        {"exit", exit_here},           {"leave", leave_here},          {"abort", abort_here},
        {"crash", crash_here},         {"fault", fault_here},          {"kill", kill_here},
        {"terminate", terminate_here}, {"become", become_another},     {"fork", fork_here},
        {"go_on", fork_and_go_on},     {"beside", exit_beside_others}, {"again", restart_here}};
    const char* way = argc > 1 ? argv[1] : "";
    self = argv[0];
    for (size_t i = 0; i < sizeof(callbacks) / sizeof(callbacks[0]); i++)
        if (strcmp(way, callbacks[i].way) == 0) {
            call_soon(callbacks[i].callback);
            say("returned\n");
            return 0;
        }
    if (strcmp(way, "signals") == 0)
        return count_signals();
    if (strcmp(way, "spawn") == 0)
        return spawn_children();
    if (strcmp(way, "turn") == 0) {
        say("turned\n");
        return turn(uv_default_loop(), TURNS);
    }
    return 2;
}
