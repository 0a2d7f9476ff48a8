#!/usr/bin/env bash
# A program that closes what it does not know, as daemons do, does not hit the recording; no file of
# its own gets anything, and it finds the descriptor numbers that it would find without recording.
. trace/tests/common.bash
[ "$sanitizer" != thread ] || skip "what the program does here is a race, on purpose"
"$program" closing >without
PHASOR_TRACE=file "$program" closing >with
diff without with || fail "recording shows"
says with "0 bytes of ours"
"$events" file >recorded
says recorded "iterations 1003"

# And how much its callbacks run goes on being known.
if [ -z "$sanitizer" ]; then
    expect 0 "$phasor" trace -o later "$build/tests/trace/shares" closed
    expect 0 "$phasor" report later --json
    python3 - <<'END'
import json

report = json.load(open("out"))
one = report["longest"][0]
assert one["onCpu"] >= 19e6 and "waitedForCpu" in one, one
loop = report["loops"][0]["processor"]
assert loop["known"] >= loop["on"] >= 19e6, loop
END
fi
