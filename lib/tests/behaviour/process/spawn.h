#ifndef SPAWN_H
#define SPAWN_H

/* What the tests of processes share: a child, its options, its output. */

#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

struct child {
    uv_process_t process;
    uv_process_options_t options;
    uv_stdio_container_t stdio[32];
    char* args[8];
    int exits;
    int64_t status;
    int signal;
};

static uv_loop_t loop;

#ifdef BY_FORK
static void nothing(void) {}

/* A program that waits for forks gets them. */
__attribute__((constructor)) static void await_forks(void) {
    pthread_atfork(nothing, nothing, nothing);
}
#endif

static inline void on_exit_close(uv_process_t* process, int64_t status, int signal) {
    struct child* child = (struct child*)process;
    child->exits++;
    child->status = status;
    child->signal = signal;
    uv_close((uv_handle_t*)process, NULL);
}

/* `sh -c script`, with the parent's standard error. */
static inline void child_shell(struct child* child, const char* script) {
    memset(child, 0, sizeof(*child));
    child->args[0] = (char*)"sh";
    child->args[1] = (char*)"-c";
    child->args[2] = (char*)script;
    child->stdio[2].flags = UV_INHERIT_FD;
    child->stdio[2].data.fd = 2;
    child->options.file = "/bin/sh";
    child->options.args = child->args;
    child->options.exit_cb = on_exit_close;
    child->options.stdio = child->stdio;
    child->options.stdio_count = 3;
}

static inline void child_fd(struct child* child, int number, int fd) {
    child->stdio[number].flags = UV_INHERIT_FD;
    child->stdio[number].data.fd = fd;
    if (child->options.stdio_count <= number)
        child->options.stdio_count = number + 1;
}

static inline int child_spawn(struct child* child) {
    return uv_spawn(&loop, &child->process, &child->options);
}

static inline void loop_open(void) {
    CHECK_OK(uv_loop_init(&loop));
}

static inline void loop_finish(void) {
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

/* Spawns, runs to the end, and gives what the child wrote to descriptor 1. */
static inline const char* child_output(struct child* child) {
    static char output[65536];
    int fds[2];
    ssize_t n;
    size_t length = 0;
    CHECK_OK(pipe2(fds, O_CLOEXEC));
    child_fd(child, 1, fds[1]);
    loop_open();
    CHECK_OK(child_spawn(child));
    close(fds[1]);
    while ((n = read(fds[0], output + length, sizeof(output) - 1 - length)) > 0)
        length += (size_t)n;
    output[length] = '\0';
    close(fds[0]);
    loop_finish();
    CHECK_EQ(child->exits, 1);
    return output;
}

/* A failed spawn leaves an inactive handle and no child. */
static inline void check_spawn_fails(struct child* child, int error) {
    CHECK_EQ(child_spawn(child), error);
    CHECK(!uv_is_active((uv_handle_t*)&child->process));
    CHECK(!uv_loop_alive(&loop));
    CHECK_EQ(waitpid(-1, NULL, WNOHANG), -1);
    uv_close((uv_handle_t*)&child->process, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(child->exits, 0);
}

#endif
