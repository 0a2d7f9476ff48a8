#!/usr/bin/env bash
# Under 100 ns, about 30 where the clock is read without a system call; where it is not, little more
# than the clock. The best of several rounds, none of whose events is lost: others may be busy too.
# alone
. trace/tests/common.bash
[ -z "$sanitizer" ] || skip "sanitizers have their own price"
PHASOR_TRACE=file "$program" cost >cost
read -r event clock <cost
echo "$event ns, of which $clock ns for the clock"
expect 0 "$phasor" report file --json
python3 - "$event" "$clock" <<'END'
import json, sys
event, clock = map(float, sys.argv[1:])
report = json.load(open("out"))
assert report["events"] >= 200000 and report["lost"] == 0, (report["events"], report["lost"])
assert 1 < event < max(100, 3 * clock), f"{event} ns per event"
END
