#!/usr/bin/env bash
# The pool, a thread and a child: each fails alone, at its place, or all of them by chance.
. sim/tests/world.bash
needs_runtime
fails() { # fails WHAT ARGUMENTS...: the program says that this, and nothing else, failed
    local what=$1
    shift
    sim "$@" "$programs/threads.js" 2>err | sort >out
    printf '%s\n' child\ 0 file\ null worker\ 0 | sed "s/^${what% *} .*/$what/" | sort >expected
    same expected out "phasor sim $*"
}
fails 'none 0'
fails 'child EAGAIN' --fault fork@1=EAGAIN
fails 'child ENOMEM' --fault host:fork@1=ENOMEM
fails 'worker ERR_WORKER_INIT_FAILED' --fault pthread_create@5=EAGAIN
# One thread of the pool is enough.
fails 'none 0' --fault pthread_create@2=EAGAIN
sim --faults thread:1 "$programs/threads.js" >out 2>err
says out 'file EAGAIN'
says out 'worker ERR_WORKER_INIT_FAILED'
grep -Eqx 'child (EAGAIN|ENOMEM)' out || { cat out >&2; fail "a child was made"; }
