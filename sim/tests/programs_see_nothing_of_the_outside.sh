#!/usr/bin/env bash
# Times of files, numbers of processes, chance, the machine: the same in every run, whatever the
# folder and the environment are.
. sim/tests/world.bash
[ -x "$build/tests/sim_machine" ] || fail "there is no $build/tests/sim_machine"
mkdir one two
(cd one && sim "$build/tests/sim_machine") >expected
(cd two && MORE=$(seq 100) sim "$build/tests/sim_machine") >out
same expected out "another run sees another machine"
grep -q 'times 1893456000 1893456000 1893456000 1893456000' out || { cat out; fail "not of 2030"; }
(cd two && rm -r by-* f* l* && sim --seed 2 --kind "$build/tests/sim_machine") >out
if cmp -s <(head -n 4 expected) <(head -n 4 out); then fail "another seed gives the same chance"; fi
for what in temporary 'order of names' AT_RANDOM rdrand; do
    if cmp -s <(grep "^$what" expected) <(grep "^$what" out); then fail "the same $what"; fi
done
says out 'again 0'
grep -q "^thread $(sed -n 's/^numbers \([0-9]*\) .*/\1/p' out) " out ||
    fail "the first thread has another number than its process"

# What is not simulated is named.
python=$(command -v python3) || exit 0
sim -- "$python" -c 'import time; time.sleep(1); open("/proc/self/status").read()' >out 2>err
says err 'the world leaks: the file /proc/self/status: another run may differ'

# A socket that the program makes itself is the world's; one that it was started with is not, and
# that is said, with the code that did it.
python=$(command -v python3) || exit 0
cat >past.py <<'END'
import socket, sys, time
one = socket.socket(fileno=int(sys.argv[1])) if len(sys.argv) > 1 else socket.socket()
try:
    one.connect(('127.0.0.1', 1))
except OSError as error:
    print(type(error).__name__, time.time() < 1893456002)
END
sim -- "$python" past.py >out 2>err
[ ! -s err ] || { cat err >&2; fail "a socket of the world was named as of the outside"; }
says out 'ConnectionRefusedError True'
cat >begin.py <<'END'
import os, socket, sys
one = socket.socket()
one.set_inheritable(True)
os.execv(sys.argv[1], [sys.argv[1], 'sim', '--', sys.executable, 'past.py', str(one.fileno())])
END
timeout -k 5 600 "$python" begin.py "$phasor" >out 2>err </dev/null || true
says err 'the world leaks: a connection of the real network in '
