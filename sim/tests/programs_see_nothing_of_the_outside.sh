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
(cd two && rm by-* && sim --seed 2 --kind "$build/tests/sim_machine") >out
if cmp -s <(head -n 4 expected) <(head -n 4 out); then fail "another seed gives the same chance"; fi

# What can't be simulated is said, with the code that did it.
cat >past.py <<'END'
import asyncio, socket, uvloop
async def main():
    one = socket.socket()
    one.settimeout(1)
    try:
        one.connect(('127.0.0.1', 1))
    except OSError:
        pass
uvloop.install()
asyncio.run(main())
END
root=$build/clients/root
if [ -d "$root/usr/lib/python3/dist-packages/uvloop" ] && unshare --mount true 2>/dev/null; then
    "$here/../../lib/tests/clients/inside.sh" "$root" "$phasor" sim -- /usr/bin/python3 past.py \
        2>err </dev/null
    says err 'the world leaks: a connection of the real network in '
fi
