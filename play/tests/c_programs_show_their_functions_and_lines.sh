# A C program is built and played: its functions, lines, timers and output are told; without a
# compiler, or with an error, it says so.
. "$(dirname "$0")/common.bash"

command -v cc >/dev/null || { echo "there is no compiler"; exit 77; }
cat >program.c <<'END'
#include <stdio.h>
#include <uv.h>

static void on_timer(uv_timer_t* timer) {
    printf("after %d hours\n", 2);
    uv_close((uv_handle_t*)timer, NULL);
}

int main(void) {
    uv_timer_t timer;
    uv_timer_init(uv_default_loop(), &timer);
    uv_timer_start(&timer, on_timer, 7200000, 0);
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
END
play program.c --events >events.txt
grep -q '"at",\["main",12,"program.c"\]' events.txt ||
    fail "the line that starts the timer is not told"
grep -q '"timer+",1,' events.txt || fail "the timer is not told: $(cat events.txt)"
grep -q '"cb","timer_cb",1,"on_timer' events.txt || fail "the callback is not told"
grep -q '"out",1,"after 2 hours' events.txt || fail "the output is not told"
got=$(kinds timer+ out close closed exit)
[ "$got" = "timer+ out close closed exit" ] || fail "in this order: $got"

if CC=no-such-compiler play program.c --events 2>err.txt; then fail "it needs no compiler"; fi
grep -q 'a C program needs a compiler, and there is no "no-such-compiler"' err.txt ||
    fail "without a compiler it says: $(cat err.txt)"
sed -i 's/return uv_run/retrun uv_run/' program.c
if play program.c --events 2>err.txt; then fail "an error of syntax is played"; fi
grep -q '^phasor play: program.c' err.txt || fail "an error says: $(cat err.txt)"
grep -q 'program.c:13:' err.txt || fail "an error has no line: $(cat err.txt)"

# Whatever was opened first is a handle like any other: nothing is left of it when it is closed.
cat >repeat.c <<'END'
#include <uv.h>

static void on_timer(uv_timer_t* timer) {
    uv_close((uv_handle_t*)timer, NULL);
}

int main(void) {
    uv_timer_t timer;
    uv_timer_init(uv_default_loop(), &timer);
    uv_timer_start(&timer, on_timer, 10, 20);
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
END
steps repeat.c timer >steps.txt
grep -q '^close closing: timer is closed' steps.txt ||
    fail "the close is not told: $(cat steps.txt)"
! tail -n 1 steps.txt | grep -q '\]$' || fail "a timer is left: $(tail -n 1 steps.txt)"

cat >endless.c <<'END'
#include <stdio.h>
int main(void) {
    for (;;)
        puts("without any end, and every line is long enough to be too much soon");
}
END
if play endless.c --events 2>err.txt; then fail "it is said to have ended"; fi
grep -q 'stopped: it printed too much' err.txt || fail "a program without end: $(cat err.txt)"

# main is on the stack while the loop turns, and each phase of the loop says whom it calls.
cat >hooks.c <<'END'
#include <stdio.h>
#include <uv.h>

static uv_idle_t idle;
static uv_prepare_t prepare;
static uv_check_t check;
static uv_timer_t timer;

static void on_idle(uv_idle_t* handle) {}
static void on_prepare(uv_prepare_t* handle) { uv_prepare_stop(handle); }
static void on_check(uv_check_t* handle) {
    uv_check_stop(handle);
    uv_idle_stop(&idle);
}
static void on_timer(uv_timer_t* handle) { puts("timer"); }

int main(void) {
    uv_loop_t* loop = uv_default_loop();
    uv_idle_init(loop, &idle);
    uv_prepare_init(loop, &prepare);
    uv_check_init(loop, &check);
    uv_timer_init(loop, &timer);
    uv_idle_start(&idle, on_idle);
    uv_prepare_start(&prepare, on_prepare);
    uv_check_start(&check, on_check);
    uv_timer_start(&timer, on_timer, 0, 0);
    uv_run(loop, UV_RUN_DEFAULT);
    puts("main again");
    return 0;
}
END
steps hooks.c units >steps.txt
says 'script-end-c phases: main has called uv_run: .* \[main\]'
says 'timer-run .* which was due at 0 ms\. \[main, on_timer\]'
says 'cb-idle phases: Idle: on_idle is called, .* \[main, on_idle\]'
says 'cb-prepare phases: Prepare: on_prepare is called, .*'
says 'cb-check check: Check: on_check is called, .*'
says 'print -: Prints: main again \[main\]'

# How a program ends that crashes, or has no loop, is said.
cat >crash.c <<'END'
#include <stdlib.h>
#include <uv.h>

static void on_timer(uv_timer_t* timer) { abort(); }

int main(void) {
    uv_timer_t timer;
    uv_timer_init(uv_default_loop(), &timer);
    uv_timer_start(&timer, on_timer, 1, 0);
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
END
play crash.c --save crash.html
grep -q 'the program has crashed: SIGABRT' crash.html ||
    fail "the page does not say that it crashed"
printf '#include <stdio.h>\nint main(void) { puts("hello"); return 3; }\n' >no_loop.c
if play no_loop.c --events 2>err.txt; then fail "a program without a loop is played"; fi
grep -q 'ended, with status 3, and no loop has turned' err.txt ||
    fail "without a loop: $(cat err.txt)"
grep -q '^hello$' err.txt || fail "what it printed is not told: $(cat err.txt)"
