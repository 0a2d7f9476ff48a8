#!/usr/bin/env bash
# A machine that is busy, in miniature: on one processor with four programs that never rest, what a
# callback ran is told from what it waited, and the loop is not said to be blocked by it. One that
# sleeps in a system call has not run either.
. trace/tests/common.bash
[ -r /proc/self/schedstat ] || skip "this kernel does not count waiting for a processor"
shares=$build/tests/trace/shares
for ((i = 0; i < 5; i++)); do
    PHASOR_TRACE=hogged "$shares" hogged >measured
    # It ran for 6 ms. In the rare case that nobody else wanted to, once more.
    ! grep -q 'took": [0-9]\?[0-9]\.' measured || continue
    break
done
expect 0 "$phasor" report hogged --json
cp out hogged.json
PHASOR_TRACE=nap "$shares" nap
expect 0 "$phasor" report nap --json
cp out nap.json
python3 - <<'END'
import json

measured = json.load(open("measured"))
took, ran = measured["took"] * 1e6, measured["ran"] * 1e6
longest = json.load(open("hogged.json"))["longest"][0]
assert longest["duration"] > 0.9 * took, (longest, measured)
assert 0.9 * ran - 1e6 < longest["onCpu"] < 1.1 * ran + 2e6, (longest, measured)
waited = took - ran
assert 0.8 * waited < longest["waitedForCpu"] < 1.1 * waited + 2e6, (longest, measured)
longest = json.load(open("nap.json"))["longest"][0]
assert longest["duration"] >= 60e6 and longest["onCpu"] < longest["duration"] / 4, longest
END
expect 0 "$phasor" report hogged
says out "for a processor at "
says out "innocent (shares.c:"
! grep -q "was blocked" out || fail "$(cat out)"
