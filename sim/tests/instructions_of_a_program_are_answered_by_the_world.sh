#!/usr/bin/env bash
# The processor's counter and system calls past libc: simulated, or named with the code that did it.
. sim/tests/world.bash
[ "$(uname -m)" = x86_64 ] || { echo "instructions are trapped on x86-64 only"; exit 77; }
program=$build/tests/sim_instructions
sim --kind "$program" >expected 2>err
[ ! -s err ] || { cat err >&2; fail "something was named as of the outside"; }
says expected 'the calendar 1893456000'
says expected 'an hour of ticks: 1, in order: 1'
says expected 'no such call: -38'
says expected 'caught 1'
says expected 'a child 0'
says expected 'another 0'
for _ in 1 2 3; do
    sim --kind "$program" >out
    same expected out "another run sees another machine"
done
sim --kind --seed 2 "$program" >out
if cmp -s expected out; then fail "another seed gives the same chance"; fi
sim --kind "$program" umask >out 2>err
says err 'the world leaks: the system call 95 by an instruction of its own in sim_instructions'
status=0
sim --kind "$program" clone >out 2>err || status=$?
[ $status != 0 ] || fail "a child was made by an instruction"
says err 'makes threads or processes by system calls of its own'
status=0
sim --kind "$program" fault >out 2>err || status=$?
[ $status = 139 ] || { cat err >&2; fail "a fault ended with status $status, not 139"; }
