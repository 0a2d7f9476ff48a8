#!/usr/bin/env bash
# Programs that only lock and wait for each other: mutexes, read-write locks, spinning ones,
# barriers, the threads of C11. A world that stands names who waits for whom.
. sim/tests/world.bash
[ "$(uname -m)" = x86_64 ] || { echo "threads are run step by step on x86-64 only"; exit 77; }
locks=$build/tests/sim_locks
[ -x "$locks" ] || fail "there is no $locks"
for what in cross once count take; do
    status=0
    sim --seeds 1000 --no-shrink "$locks" $what >out 2>err || status=$?
    [ $status = 1 ] || { cat out err >&2; fail "$what: status $status, not 1"; }
    sim --seeds 200 "$locks" $what mended >out 2>err ||
        { cat out err >&2; fail "$what mended fails"; }
    seed=$(shuf -i 1-200 -n 1)
    for i in 1 2; do sim --seed "$seed" -v "$locks" $what mended 2>&1 | sed 1d >again.$i; done
    same again.1 again.2 "$what: another run of seed $seed differs"
done
sim --seeds 1000 --no-shrink "$locks" cross >out 2>err || true
grep -q '^  host, thread [123] waits for a lock that thread [123] holds$' err ||
    { cat err >&2; fail "who waits for whom is not named"; }

# Also when a thread has ended meanwhile, and at once.
status=0
sim --real-limit 20s "$locks" forget >out 2>err || status=$?
[ $status = 86 ] || { cat err >&2; fail "forget: status $status, not 86"; }
says err 'nothing can happen any more'
says err 'host, the main thread waits for a lock that it holds itself'
sim "$locks" forget mended
