#!/usr/bin/env bash
# One that was not started by us, on Debian's libuv or with one inside: attach, top and --alive see
# its turns and who took the time; afterwards it is as it was. Where it can't be done, one sentence
# says why.
. trace/tests/common.bash
[ "$(uname -m)" = x86_64 ] || skip "a thread can be made to call something on x86-64 only"
[ -z "$sanitizer" ] || skip "the recorder needs the sanitizer in the program"
compiler=${CC:-gcc}
theirs=/usr/lib/$($compiler -print-multiarch)/libuv.so.1
[ -e "$theirs" ] || skip "there is no other libuv"
unset LD_LIBRARY_PATH

cat >server.c <<'CODE'
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <uv.h>

static int left;

__attribute__((noinline)) void compute_prices(void) {
    clock_t end = clock() + CLOCKS_PER_SEC / 20;
    volatile int sink = 0;
    while (clock() < end)
        sink++;
}

static void on_timer(uv_timer_t* timer) {
    compute_prices();
    puts("tick");
    fflush(stdout);
    if (--left == 0)
        uv_close((uv_handle_t*)timer, NULL);
}

int main(int argc, char** argv) {
    struct sock_filter all[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
    struct sock_fprog program = {1, all};
    uv_timer_t timer;
    left = argc > 1 ? atoi(argv[1]) : 100000;
    if (argc > 2 && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
                     prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0))
        return 9;
    uv_timer_init(uv_default_loop(), &timer);
    uv_timer_start(&timer, on_timer, 1, 100);
    uv_run(uv_default_loop(), UV_RUN_DEFAULT);
    puts("end");
    return 5;
}
CODE
"$compiler" -g -O1 -I"$source/lib/include" -include stdlib.h server.c -o server "$theirs"

# begin NAME COMMAND...: in $process, once it prints
begin() {
    local name=$1
    shift
    "$@" >"$name" 2>&1 &
    process=$!
    children+=($process)
    wait_for 30 test -s "$name"
}

# What a debugger, or a recording, would leave behind.
is_alone() {
    ! grep -qs phasor /proc/$process/task/*/comm && grep -q '^TracerPid:.0$' /proc/$process/status
}
turned() { "$phasor" report "$1" --json >report.json 2>/dev/null &&
    python3 -c 'import json, sys
sys.exit(not any(loop["iterations"] >= 3 for loop in json.load(open("report.json"))["loops"]))'; }

begin ticks ./server 60
if ! "$phasor" attach $process -o first 2>err; then
    says err "no permission to look into process $process"
    [ "$(id -u)" != 0 ] || fail "root may not look into its own process: $(cat err)"
    skip "this user may not look into its own processes"
fi
wait_for 30 turned first
expect 0 "$phasor" attach $process --stop
is_alone || fail "something was left in the process"
expect 0 "$phasor" report first
says out "The program ran on a libuv that is not ours"
grep -qE "The loop was blocked .* (mostly in|by) compute_prices" out || fail "$(cat out)"
# Again, and it ends as it would have.
expect 0 "$phasor" attach $process -o second
wait_for 30 turned second
status=0
wait $process || status=$?
[ $status = 5 ] || fail "the program ended with $status: $(cat ticks)"
[ "$(grep -c tick ticks)" = 60 ] && says ticks end
expect 0 "$phasor" report second
expect 1 "$phasor" attach $process
says err "there is no process $process"

# Refusals.
begin filtered ./server 100000 filter
expect 1 "$phasor" attach $process
says err "(seccomp)"
is_alone && kill $process
if unshare --mount true 2>/dev/null; then
    begin elsewhere unshare --mount ./server
    expect 1 "$phasor" attach $process
    says err "sees other files than this one (a container)"
    kill $process
fi
sleep 60 &
process=$!
children+=($process)
expect 1 "$phasor" attach $process
says err "has not loaded libuv.so.1, and has none inside that can be seen"
expect 1 "$phasor" attach $process --stop
kill $process
# One that nobody has waited for.
bash -c './server 1 >/dev/null & echo $!; exec sleep 60' >zombie &
process=$!
children+=($process)
wait_for 20 test -s zombie
dead=$(cat zombie)
wait_for 20 grep -q '^State:.Z' /proc/$dead/status
expect 1 "$phasor" attach $dead
says err "process $dead has ended"
kill $process

# Node, with its names; and one that never comes back from JavaScript.
node=$(command -v node) || exit 0
make_busy_app
named() { "$phasor" report "$1" >out 2>/dev/null && grep -qE "crunch \(app.js:[0-9]\)" out; }
begin node.out "$node" app.js
expect 0 "$phasor" attach $process -o node.trace
wait_for 60 named node.trace
expect 0 "$phasor" attach $process --stop
is_alone || fail "something was left in Node"
expect 0 "$phasor" attach $process --alive
says out "timer, from before the recording"
expect 0 "$phasor" top $process -n 2 --interval 1
[ "$(grep -c utilisation out)" -ge 1 ] || fail "$(cat out err)"
before=$(wc -l <node.out)
more() { [ "$(wc -l <node.out)" -gt "$before" ]; }
wait_for 30 more
kill $process
begin spin.out "$node" -e 'console.log(1); let i = 0; for (;;) i++'
expect 0 "$phasor" attach $process -o spin.trace
expect 0 "$phasor" attach $process --stop
kill $process

# What was started for it needs nothing loaded.
begin ready.out "$phasor" run --attachable -- ./server
grep -q libphasor-join /proc/$process/maps || fail "it is not there"
expect 0 "$phasor" attach $process -o ready.trace
wait_for 30 turned ready.trace
expect 0 "$phasor" attach $process --stop
kill $process
expect 2 "$phasor" run --attachable
