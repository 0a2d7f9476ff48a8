/* Signals and children. */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine.h"

/* The last one is also what the library catches for its children. */
static const int signals[] = {SIGUSR1, SIGUSR2, SIGHUP, SIGWINCH, SIGCHLD};

static int number_of(int which) {
    return signals[(unsigned)which % 5];
}

static int untold; /* numbers that were raised and not told to anybody yet */

static void on_signal(uv_signal_t* handle, int number) {
    untold &= ~(1 << number);
    called(object_of(handle), "signal", "%d", number);
}

static int op_signal_start(struct object* object, const int* arguments) {
    return uv_signal_start(object->signal, on_signal, number_of(arguments[0]));
}

static int op_signal_oneshot(struct object* object, const int* arguments) {
    return uv_signal_start_oneshot(object->signal, on_signal, number_of(arguments[0]));
}

static int op_signal_stop(struct object* object, const int* arguments) {
    (void)arguments;
    return uv_signal_stop(object->signal);
}

/* To this very thread, so that the handler has run when this returns. */
static int op_raise(struct object* object, const int* arguments) {
    struct sigaction action;
    int number = number_of(arguments[0]);
    (void)object;
    sigaction(number, NULL, &action);
    if (action.sa_handler == SIG_DFL)
        return SKIPPED;
    untold |= 1 << number;
    raise(number);
    return NOTHING;
}

bool is_on_its_way(const struct object* object) {
    if (object->kind == ASYNC)
        return object->sends > 0;
    return object->kind == SIGNAL && (untold >> object->signal->signum & 1) != 0;
}

static void on_end(uv_process_t* process, int64_t status, int number) {
    called(object_of(process), "exited", "%d signal %d", (int)status, number);
}

/* Programs: the first three end by themselves. */
static char* const commands[][4] = {{"/bin/true", NULL},
                                    {"/bin/sh", "-c", "echo out; exit 3", NULL},
                                    {"/bin/sh", "-c", "echo out; kill -9 $$", NULL},
                                    {"/bin/sleep", "1000", NULL}};

/* A child that has not come to its sleep may still hold descriptors that are closed at its exec. */
static void wait_until_it_sleeps(int pid) {
    char path[32], text[256], state = 0;
    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    for (int tries = 0; tries < 5000 && state != 'S'; tries++) {
        FILE* file = fopen(path, "r");
        if (file == NULL || fgets(text, sizeof(text), file) == NULL ||
            sscanf(text, "%*d (sleep) %c", &state) != 1)
            state = 0;
        if (file != NULL)
            fclose(file);
        usleep(state == 'S' ? 0 : 200);
    }
}

/* spawn P COMMAND PIPE: its output goes to the pipe, if that is a pipe that is not open */
static int op_spawn(struct object* object, const int* arguments) {
    uv_stdio_container_t stdio[3] = {
        {.flags = UV_IGNORE}, {.flags = UV_IGNORE}, {.flags = UV_IGNORE}};
    uv_process_options_t options = {.exit_cb = on_end, .stdio_count = 3, .stdio = stdio};
    struct object* pipe = object_at(arguments[1]);
    uv_os_fd_t fd;
    /* Where there are stray signals, a child that is quick is told of in the same turn. */
    if (object->state == LIVE || object->state == CLOSING ||
        (stray_signals && is_polling(object->loop)))
        return SKIPPED;
    int which = (int)((unsigned)arguments[0] % 4);
    options.args = (char**)commands[which];
    options.file = options.args[0];
    if (is_live(pipe, 1 << PIPE) && pipe->loop == object->loop &&
        uv_fileno(pipe->handle, &fd) != 0) {
        stdio[1].flags = UV_CREATE_PIPE | UV_READABLE_PIPE | UV_WRITABLE_PIPE;
        stdio[1].data.stream = pipe->stream;
    }
    uv_process_t* process = born(object, sizeof(*process));
    clock_counter_is_virtual(false);
    int result = uv_spawn(object->loop, process, &options);
    clock_counter_is_virtual(true);
    if (result == 0 && which < 3) {
        child_is_expected(process->pid);
        settle_children();
    } else if (result == 0) {
        wait_until_it_sleeps(process->pid);
    }
    return result;
}

static int op_process_kill(struct object* object, const int* arguments) {
    if (stray_signals && arguments[0] && is_polling(object->loop))
        return SKIPPED;
    int result = uv_process_kill(object->process, arguments[0] ? SIGTERM : 0);
    if (arguments[0] && result == 0) {
        child_is_expected(object->process->pid);
        settle_children();
    }
    return result;
}

/* Waits for the child as programs do in a callback for SIGCHLD. Not if its handle is closed: libuv
 * leaves such a child to whoever wants it, ours does not. */
static int op_reap(struct object* object, const int* arguments) {
    (void)arguments;
    if (object->process->pid == 0)
        return SKIPPED;
    log_note(" = %d", waitpid(object->process->pid, NULL, WNOHANG) > 0);
    return NOTHING;
}

const struct operation process_operations[] = {
    {"signal_start", 1 << SIGNAL, false, op_signal_start},
    {"signal_oneshot", 1 << SIGNAL, false, op_signal_oneshot},
    {"signal_stop", 1 << SIGNAL, false, op_signal_stop},
    {"raise", 0, false, op_raise},
    {"spawn", 1 << PROCESS, true, op_spawn},
    {"process_kill", 1 << PROCESS, false, op_process_kill},
    {"reap", 1 << PROCESS, false, op_reap},
    {NULL, 0, false, NULL}};
