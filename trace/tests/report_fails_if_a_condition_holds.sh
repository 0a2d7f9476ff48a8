#!/usr/bin/env bash
# For checks in CI: status 3 and one line that says what the figure is.
. trace/tests/common.bash
"$build/tests/trace/long" file 100000 2 >/dev/null
expect 3 "$phasor" report file --fail-if 'worst lag > 20ms' --json
says err "phasor report: worst lag > 20ms: it is 20.0 ms (main loop)"
python3 -c 'import json; assert json.load(open("out"))["failed"] == [
    "worst lag > 20ms: it is 20.0 ms (main loop)"]'
expect 0 "$phasor" report file --fail-if 'median lag > 20ms' --fail-if 'lost > 0'
expect 3 "$phasor" report file --fail-if 'median lag > 20ms' --fail-if 'utilisation >= 1%'
says err "utilisation >= 1%: it is"
expect 3 "$phasor" report file --fail-if 'p50 "uv_timer_cb" >= 1 us'
expect 0 "$phasor" report file --fail-if 'p99.9 "uv_timer_cb" > 1ms'
expect 3 "$phasor" report file --fail-if 'mean queue wait < 1s'
says err "(the thread pool)"
expect 0 "$phasor" report file --fail-if 'p99 lateness > 0ns' # there are no timers that are late

# A function that was renamed must not disarm the condition.
expect 3 "$phasor" report file --fail-if '"uv_renamed_cb" > 1s' --json
says err 'phasor report: "uv_renamed_cb" > 1s: no function of this name ran'
python3 -c 'import json; assert len(json.load(open("out"))["failed"]) == 1'
expect 0 "$phasor" report file --fail-if '"uv_renamed_cb" > 1s' --missing-ok
expect 0 "$phasor" report file --fail-if '"uv_timer_cb" > 1s'
# Of several recordings, it is enough that it ran in one of them.
PHASOR_TRACE=other "$program" turns 3
expect 0 "$phasor" report other file --fail-if '"uv_after_work_cb" > 1s'
expect 3 "$phasor" report other --fail-if '"uv_after_work_cb" > 1s'

bad() {
    expect 2 "$phasor" report file --fail-if "$1"
    [ "$(wc -l <err)" = 1 ] || fail "more than a sentence: $(cat err)"
    says err "$2"
}
bad 'p99 lagg > 20ms' "lagg > 20ms is no figure"
bad 'p99 lag' "> or < is missing"
bad 'p99 lag > 20' "is no time; 20ms, 1.5s or 300us is"
bad 'utilisation > 20ms' "is no share; 80% is"
bad 'lost > many' "is no number"
bad 'p99 lag > 20ms of it' "is no time"
bad '' "nothing is no figure"

# A loop that only turns once, as Node's first does, is not busy because it never slept.
cat >idle.c <<'CODE'
#include <uv.h>
static void nothing(uv_timer_t* timer) { (void)timer; }
int main(void) {
    uv_loop_t other;
    uv_timer_t timer;
    uv_loop_init(&other);
    uv_run(&other, UV_RUN_NOWAIT);
    uv_loop_close(&other);
    uv_timer_init(uv_default_loop(), &timer);
    uv_timer_start(&timer, nothing, 300, 0);
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
CODE
"${CC:-gcc}" -I"$source/lib/include" idle.c -o idle ${sanitizer:+-fsanitize=$sanitizer} \
    -L"$build/lib" -l:libuv.so.1
expect 0 "$phasor" trace -o idle.trace ./idle
expect 0 "$phasor" report idle.trace --fail-if 'utilisation > 80%'
! grep -qE "utilisation +100" out || fail "an idle loop is busy: $(cat out)"
expect 3 "$phasor" report idle.trace --fail-if 'utilisation < 80%'
