#!/usr/bin/env bash
# At its rate, only with errors that the call could have, and as one single fault at a place.
. sim/tests/world.bash
needs_runtime
kinds() { # kinds FAULTS: the names of the faults that happened
    : >out
    : >err
    for seed in 1 2 3; do
        mkdir run
        (cd run && sim --kind -v --seed $seed --faults "$1" "$programs/calls.js" \
            >>../out 2>>../err) ||
            { cat out err >&2; fail "--faults $1: the program ended with an error"; }
        rm -r run
    done
    sed -nE 's/^  [0-9a-z. ]+: fault ([a-z_]+)@[0-9]+=([A-Z]+)$/\1 \2/p' err | sort -u
}
expect() { # expect FAULTS WHAT...: these happened, among others
    local faults=$1
    shift
    kinds "$faults" >happened
    for what; do
        grep -qx "$what" happened || { cat happened >&2; fail "--faults $faults: no $what"; }
    done
}
expect call:0 && [ ! -s happened ] || fail "faults without a rate"
expect call:0.2 'recv EINTR' 'recv EAGAIN' 'send EAGAIN' 'send_short SHORT' 'recv_short SHORT' \
    'epoll_wait EINTR' 'sendto EAGAIN'
[ ! -s out ] || { cat out >&2; fail "a program noticed interrupted calls"; }
expect net:0.1 'connect ECONNREFUSED' 'connect ETIMEDOUT' 'recv_net ECONNRESET' 'send_net EPIPE' \
    'accept EMFILE' 'getaddrinfo ENOENT' 'socket EMFILE'
says out 'stream ECONNREFUSED'
says out 'stream ECONNRESET'
says out 'name ENOTFOUND'
expect disk:0.1 'write ENOSPC' 'write EIO' 'read EIO' 'open EMFILE' 'rename EIO' 'unlink EIO' \
    'fsync EIO' 'write_short SHORT' 'read_short SHORT' 'mkdir ENOSPC' 'slow ETIME' 'stuck ETIME'
says out 'file ENOSPC'
says out 'file EIO'
if grep -q 'short file' out; then fail "a file is shorter than what was written"; fi
expect clock:0.1 'clock ETIME'
says out 'the calendar stepped'

# One at a place of its own.
sim -v --fault 'write@3=ENOSPC' "$programs/calls.js" >out 2>err
says out 'file ENOSPC 1'
says err 'fault write@3=ENOSPC'
[ "$(wc -l <out)" = 1 ] || { cat out >&2; fail "more than one fault"; }
rm -r folder*
sim --fault send_net@2=EPIPE --fault getaddrinfo@5=EAGAIN "$programs/calls.js" >out
printf 'name EAI_AGAIN 1\n' >expected
grep -v stream out >named
same expected named "two single faults"
