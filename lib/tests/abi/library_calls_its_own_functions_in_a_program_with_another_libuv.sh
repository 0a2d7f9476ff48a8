#!/usr/bin/env bash
# A program that has a libuv of its own inside and exports it, as the official builds of Node do,
# loads something that brings this library along. What the library calls by itself are its own
# functions, whatever the program has under the same names: here each of them ends the program.
. lib/tests/abi/common.bash
need_library
library=$(realpath "$build/lib/libuv.so.1")

{
    echo '#include <stdlib.h>'
    nm -D --defined-only "$library" |
        sed -nE 's/.* T (uv_[a-z0-9_]+)(@.*)?$/void \1(void) { abort(); }/p'
} >"$temp/other.c"
[ "$(wc -l <"$temp/other.c")" -gt 300 ]

cat >"$temp/program.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>
static void* library;
static void* find(const char* name) {
    void* found = dlsym(library, name);
    if (found == NULL)
        exit(puts(dlerror()));
    return found;
}
#define OURS(name) ((__typeof__(name)*)find(#name))
static uv_loop_t loop;
static uv_fs_poll_t poll_handle;
static void on_exit_of_child(uv_process_t* process, int64_t status, int signal) {
    OURS(uv_close)((uv_handle_t*)process, NULL);
    OURS(uv_close)((uv_handle_t*)&poll_handle, NULL);
}
static void on_stat(uv_fs_t* req) {
    OURS(uv_fs_req_cleanup)(req);
}
static void on_change(uv_fs_poll_t* handle, int status, const uv_stat_t* a, const uv_stat_t* b) {
}
static void on_signal(uv_signal_t* handle, int signum) {
    OURS(uv_close)((uv_handle_t*)handle, NULL);
}
static void on_name(uv_getaddrinfo_t* req, int status, struct addrinfo* found) {
    OURS(uv_freeaddrinfo)(found);
}
int main(int argc, char** argv) {
    uv_process_t process;
    uv_signal_t watched;
    uv_fs_t stat_req;
    uv_tcp_t tcp;
    uv_getaddrinfo_t name_req;
    char* args[] = {"true", NULL};
    uv_process_options_t options = {.file = "true", .args = args, .exit_cb = on_exit_of_child};
    library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return puts(dlerror()), 1;
    int err = OURS(uv_loop_init)(&loop);
    err |= OURS(uv_fs_poll_init)(&loop, &poll_handle);
    err |= OURS(uv_fs_poll_start)(&poll_handle, on_change, ".", 10);
    err |= OURS(uv_spawn)(&loop, &process, &options);
    err |= OURS(uv_signal_init)(&loop, &watched);
    err |= OURS(uv_signal_start_oneshot)(&watched, on_signal, SIGUSR1);
    err |= OURS(uv_fs_stat)(&loop, &stat_req, ".", on_stat);
    err |= OURS(uv_getaddrinfo)(&loop, &name_req, on_name, "127.0.0.1", NULL, NULL);
    err |= OURS(uv_tcp_init)(&loop, &tcp);
    err |= OURS(uv_tcp_keepalive)(&tcp, 1, 60);
    OURS(uv_close)((uv_handle_t*)&tcp, NULL);
    raise(SIGUSR1);
    err |= OURS(uv_run)(&loop, UV_RUN_DEFAULT);
    err |= OURS(uv_loop_close)(&loop);
    return err != 0;
}
END
gcc -w -Ilib/include -rdynamic -o "$temp/program" "$temp/program.c" "$temp/other.c" -ldl
"$temp/program" "$library"
