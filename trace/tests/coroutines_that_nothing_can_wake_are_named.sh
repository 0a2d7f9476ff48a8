#!/usr/bin/env bash
# When all coroutines wait and nothing is open any more, the report says who waits for what.
. trace/tests/common.bash
[ -x "$build/examples/go/chat" ] || skip "the examples of coroutines are not built"
cat >stuck.c <<'END'
#include <phasor_go.h>

static int take(void* channel) {
    long item;
    return go_receive(channel, &item, GO_NEVER);
}

/* With an argument a timer is left, which may still come. */
int main(int argc, char** argv) {
    (void)argv;
    uv_loop_t* loop = uv_default_loop();
    uv_timer_t timer;
    const go_options_t reader = {.name = "reader"}, writer = {.name = "writer"};
    go_channel_t* channel = go_channel_new(sizeof(long), 0);
    uv_timer_init(loop, &timer);
    if (argc == 1)
        uv_close((uv_handle_t*)&timer, NULL);
    go_start_with(loop, &reader, take, channel, NULL);
    go_start_with(loop, &writer, take, channel, NULL);
    return uv_run(loop, UV_RUN_DEFAULT);
}
END
"${CC:-gcc}" -std=gnu11 ${sanitizer:+-fsanitize=$sanitizer} -I"$source/lib/include" \
    -I"$source/go/include" stuck.c -o stuck.program -L"$build/lib" -lphasor_go -luv
export ASAN_OPTIONS=detect_leaks=0
PHASOR_TRACE=stuck expect 0 ./stuck.program
expect 0 "$phasor" report stuck
says out "2 coroutines can't go on, since nothing is left that could wake them"
says out "reader waits in receive, writer waits in receive"
PHASOR_TRACE=open expect 0 ./stuck.program open
expect 0 "$phasor" report open
! grep -q "can't go on" out || fail "a timer could have woken them"
