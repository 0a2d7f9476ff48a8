/* A child whose end is told to a debugger first. */

#include "spawn.h"

#include <signal.h>
#include <sys/ptrace.h>

struct debugger {
    pid_t pid;
    int from[2]; /* tells when it traces */
    int to[2];   /* told when it may look */
};

/* It takes hold of the child and takes no notice of its end until it is told to. */
static void be_debugger(const struct debugger* debugger, pid_t child) {
    char byte = ptrace(PTRACE_SEIZE, child, NULL, NULL) == 0;
    if (write(debugger->from[1], &byte, 1) != 1 || !byte)
        _exit(1);
    int status = 0;
    bool told = read(debugger->to[0], &byte, 1) == 1;
    _exit(!told || waitpid(child, &status, __WALL) != child);
}

static bool start_debugger(struct debugger* debugger, pid_t child) {
    char traces = 0;
    CHECK_OK(pipe(debugger->from));
    CHECK_OK(pipe(debugger->to));
    debugger->pid = fork();
    CHECK_GE(debugger->pid, 0);
    if (debugger->pid == 0)
        be_debugger(debugger, child);
    CHECK_EQ(read(debugger->from[0], &traces, 1), 1);
    return traces;
}

static void end_debugger(struct debugger* debugger) {
    CHECK_EQ(waitpid(debugger->pid, NULL, 0), debugger->pid);
    for (int i = 0; i < 2; i++) {
        close(debugger->from[i]);
        close(debugger->to[i]);
    }
}

static bool is_dead(pid_t pid) {
    char path[64], text[512] = "";
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    FILE* file = fopen(path, "r");
    if (file == NULL)
        return true;
    size_t size = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    text[size] = 0;
    char* state = strrchr(text, ')');
    return state != NULL && state[2] == 'Z';
}

static void stop_the_loop(uv_timer_t* timer) {
    uv_stop(timer->loop);
}

TEST(spawn_waits_asleep_for_a_debugger_that_has_not_seen_the_end) {
    struct child c;
    struct debugger debugger;
    uv_timer_t timer;
    uv_metrics_t before, after;
    loop_open();
    child_shell(&c, "exec sleep 1000");
    CHECK_OK(child_spawn(&c));
    bool traced = start_debugger(&debugger, c.process.pid);
    CHECK_OK(kill(c.process.pid, SIGKILL));
    if (traced) {
        while (!is_dead(c.process.pid))
            uv_sleep(1);
        CHECK_OK(uv_metrics_info(&loop, &before));
        CHECK_OK(uv_timer_init(&loop, &timer));
        CHECK_OK(uv_timer_start(&timer, stop_the_loop, 50, 0));
        uv_run(&loop, UV_RUN_DEFAULT);
        CHECK_OK(uv_metrics_info(&loop, &after));
        CHECK_EQ(c.exits, 0);
        CHECK_LE(after.events - before.events, 10);
        uv_close((uv_handle_t*)&timer, NULL);
        CHECK_EQ(write(debugger.to[1], "x", 1), 1);
    }
    loop_finish();
    CHECK_EQ(c.exits, 1);
    CHECK_EQ(c.signal, SIGKILL);
    end_debugger(&debugger);
}
