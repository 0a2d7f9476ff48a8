#!/usr/bin/env bash
# While nothing happens the recorder's threads hardly wake up, also where threads of the pool have
# worked; what takes long after the silence is still seen from its beginning.
. trace/tests/common.bash
[ -z "$sanitizer" ] || skip "with a sanitizer stacks are not the program's own"
compiler=${CC:-gcc}
cat >app.c <<'CODE'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uv.h>

static uv_async_t never;

__attribute__((noinline)) static void compute_prices(void) {
    clock_t end = clock() + CLOCKS_PER_SEC / 10;
    volatile int sink = 0;
    while (clock() < end)
        sink++;
}

static void on_line(uv_stream_t* stream, ssize_t size, const uv_buf_t* buf) {
    (void)buf;
    if (size <= 0)
        return;
    compute_prices();
    puts("computed");
    fflush(stdout);
    uv_close((uv_handle_t*)stream, NULL);
    uv_close((uv_handle_t*)&never, NULL);
}

static void on_alloc(uv_handle_t* handle, size_t size, uv_buf_t* buf) {
    static char memory[64];
    (void)handle;
    (void)size;
    *buf = uv_buf_init(memory, sizeof(memory));
}

static void on_stat(uv_fs_t* req) {
    uv_fs_req_cleanup(req);
    puts("ready");
    fflush(stdout);
}

int main(void) {
    static uv_pipe_t input;
    static uv_fs_t request;
    uv_loop_t* loop = uv_default_loop();
    uv_async_init(loop, &never, NULL);
    uv_pipe_init(loop, &input, 0);
    uv_pipe_open(&input, 0);
    uv_read_start((uv_stream_t*)&input, on_alloc, on_line);
    uv_fs_stat(loop, &request, ".", on_stat);
    return uv_run(loop, UV_RUN_DEFAULT);
}
CODE
"$compiler" -g -O1 -I"$source/lib/include" app.c -o app -L"$build/lib" -l:libuv.so.1
mkfifo input
: >printed
PHASOR_TRACE=file ./app <>input >printed &
process=$!
children+=($process)
wait_for 20 grep -q ready printed
sleep 1
# woken: how often the recorder's threads have been
woken() {
    local task sum=0
    for task in /proc/$process/task/*; do
        if grep -q '^phasor-' "$task/comm"; then
            sum=$((sum + $(sed -n 's/^voluntary_ctxt_switches:[[:space:]]*//p' "$task/status")))
        fi
    done
    echo $sum
}
[ "$(woken)" -gt 0 ] || fail "there are no threads of the recorder"
before=$(woken)
size=$(stat -c %s file)
sleep 4
[ $(($(woken) - before)) -le 40 ] || fail "woken $(($(woken) - before)) times in 4 s"
[ "$(stat -c %s file)" = "$size" ] || fail "the file has grown from $size to $(stat -c %s file)"
echo now >input
wait $process || fail "it ended with $?"
says printed computed
expect 0 "$phasor" report file
grep -qE "blocked .* (by|in) compute_prices" out || fail "$(cat out)"
