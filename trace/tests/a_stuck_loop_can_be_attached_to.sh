#!/usr/bin/env bash
# One that computes in a callback, one that waits in a system call there, and one that sleeps: the
# recording begins and ends at once, top says where they are, and they go on as before.
. trace/tests/common.bash
[ "$(uname -m)" = x86_64 ] || skip "a thread can be made to call something on x86-64 only"
[ "$sanitizer" != thread ] || skip "the sanitizer does not know calls from outside"
stuck=$build/tests/trace/stuck
mkfifo input

# begin WAY: in $process
begin() {
    : >"$1.out"
    "$stuck" "$1" >"$1.out" 2>&1 0<>input &
    process=$!
    children+=($process)
    wait_for 20 grep -q ready "$1.out"
}

# attach_and_stop WAY
attach_and_stop() {
    expect 0 "$phasor" attach $process -o "$1.trace"
    says err "recording process $process in $PWD/$1.trace"
    expect 0 "$phasor" attach $process --stop
    says err "recorded in $PWD/$1.trace"
    [ "$(od -An -tu4 -j52 -N4 "$1.trace" | tr -d ' ')" = 1 ] || fail "$1: the recording has no end"
}

begin spin
"$phasor" attach $process --stop >/dev/null 2>err || true
grep -q "no permission" err && skip "this user may not look into its own processes"
attach_and_stop spin
# A recording that began inside of a callback that never ends says in which.
expect 0 "$phasor" attach $process -o inside
is_named() { "$phasor" report inside | grep -qE "was inside $1 when the recording began"; }
if [ -z "$sanitizer" ]; then
    wait_for 20 is_named 'compute_for_ever \(stuck.c:[0-9]+\)'
fi
expect 0 "$phasor" attach $process --stop
expect 0 "$phasor" top $process -n 1 --interval 0.2
says out "inside compute_for_ever (stuck.c:"
says out "called by on_spin (stuck.c:"
kill -9 $process

begin read
attach_and_stop read
expect 0 "$phasor" top $process -n 1 --interval 0.2
says out "called by wait_for_input (stuck.c:"
says out "called by on_read (stuck.c:"
echo >input
wait $process || fail "it ended with $?: $(cat read.out)"
says read.out "42 1.0"

begin sleep
attach_and_stop sleep
expect 0 "$phasor" top $process -n 4 --interval 0.2
says out "is asleep"
kill $process
wait $process || fail "it ended with $?"

# In JavaScript, the function of the script.
"$phasor" -e 0 >/dev/null 2>&1 || exit 0
cat >app.js <<'END'
function neverEnds() { for (;;) Math.sqrt(2); }
setTimeout(() => { console.log('ready'); neverEnds(); }, 1);
END
: >app.out
"$phasor" app.js >app.out &
process=$!
children+=($process)
wait_for 20 grep -q ready app.out
expect 0 "$phasor" attach $process -o inside
wait_for 20 is_named 'neverEnds \(app.js:1\)'
expect 0 "$phasor" top $process -n 1
says out "neverEnds (app.js:1)"
kill -9 $process
