#!/usr/bin/env bash
# One pass, whatever the length; the page has the report's figures, every outlier and every second,
# and the rows around them. $EVENTS says how many; with 45 million it takes a few seconds.
. trace/tests/common.bash
[ "$sanitizer" != thread ] || skip "one thread reads, and the sanitizer has memory of its own"
"$build/tests/trace/long" file "${EVENTS:-3000000}" 60 >counted
python3 - "$phasor" "$sanitizer" <<'END'
import base64, json, re, resource, struct, subprocess, sys

LARGEST = 300_000 * (8 if sys.argv[2] else 1)  # kB

def report(*arguments):
    done = subprocess.run([sys.argv[1], "report", "file", *arguments], capture_output=True,
                          text=True, check=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert used < LARGEST, (arguments, used)
    return done.stdout

events, turns, callbacks = map(int, re.findall(r"\d+", open("counted").read()))
figures = json.loads(report("--json"))
loop = figures["loops"][0]
assert figures["events"] == events and loop["iterations"] == turns, figures
assert sum(f["calls"] for f in figures["functions"] if f["kind"] != "uv_work_cb") == callbacks
worst = [c["duration"] // 1_000_000 for c in figures["longest"]]
blocks = [ms for ms in worst if ms >= 20]
assert blocks == sorted((20 * (i + 1) for i in range(len(blocks))), reverse=True), worst
assert len(blocks) >= 6, worst
assert figures["pool"]["threads"] == 4 and 1990 <= figures["pool"]["queueWait"]["worst"] <= 2010

report("--html", "page.html")
text = open("page.html", encoding="utf-8").read()
head = json.loads(re.search(r'class="trace-head">(.*?)</script>', text, re.S)[1])
rows = list(struct.iter_unpack("<ddBBHIIi", b"".join(
    base64.b64decode(block) for block in
    re.findall(r'class="trace-rows">(.*?)</script>', text, re.S))))
assert head["figures"]["loops"] == figures["loops"] and head["functions"] == figures["functions"]
assert head["figures"]["pool"] == figures["pool"]
seconds = head["seconds"]["tracks"][0]
assert head["seconds"]["width"] == 10**9
assert sum(seconds["turns"]) == turns and max(seconds["worst"]) == loop["lag"]["worst"]
assert abs(sum(seconds["busy"]) - loop["busy"]) <= turns, (sum(seconds["busy"]), loop["busy"])
# Every block is there, whole, and so is the longest turn of every second.
taken = sorted(int(row[1]) // 1_000_000 for row in rows if row[2] == 4 and row[1] >= 20e6)
assert taken == sorted(blocks), taken
lengths = {}
for row in rows:
    if row[2] == 1:
        at = int((row[0] + row[1]) // 1e9)
        lengths[at] = lengths.get(at, 0) + 1
assert all(lengths.get(i, 0) > 0 for i, count in enumerate(seconds["turns"]) if count), lengths
assert len(rows) < 3_000_000 and "detail" in head, len(rows)
assert all(a[1] < b[0] for a, b in zip(head["detail"], head["detail"][1:]))
for sentence in head["sentences"]:
    if "start" in sentence:
        assert any(row[0] == sentence["start"] and row[2] == 4 for row in rows), sentence

# A part of it: what goes on in that time counts, as a whole.
part = json.loads(report("--json", "--from", "20s", "--to", "21s"))["loops"][0]
assert seconds["turns"][20] <= part["iterations"] <= seconds["turns"][20] + 2, part["iterations"]
assert part["lag"]["worst"] == seconds["worst"][20], part["lag"]
END
expect 2 "$phasor" report file --from soon
says err "--from soon is no time; 2.5s or 300ms is"

# Each span once, as the file is read.
"$build/tests/trace/long" file 100000 2 >counted
expect 0 "$phasor" report file --perfetto perfetto.json
python3 - <<'END'
import json, re
turns = int(re.findall(r"\d+", open("counted").read())[1])
events = json.load(open("perfetto.json"))["traceEvents"]
assert sum(e.get("cat") == "iteration" for e in events) == turns
END
