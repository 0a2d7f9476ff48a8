#!/usr/bin/env bash
# Each coroutine and actor is a row of the page, with its name, when it ran and what it waited for.
. trace/tests/common.bash
example=$build/examples/go/chat
[ -x "$example" ] || skip "the examples of coroutines are not built"
PHASOR_TRACE=file expect 0 "$example"
expect 0 "$phasor" report file --html page.html
expect 0 "$phasor" report file
python3 - <<'END'
import base64, collections, json, re, struct

page = open("page.html", encoding="utf-8").read()
head = json.loads(re.search(r'class="trace-head">(.*?)</script>', page, re.S).group(1))
rows = b"".join(base64.b64decode(text)
                for text in re.findall(r'class="trace-rows">(.*?)</script>', page, re.S))
tasks = {i: track["name"] for i, track in enumerate(head["tracks"]) if track["kind"] == "task"}
assert "room" in tasks.values(), tasks
WAITS, RUNS = 4, 5
spans = collections.defaultdict(list)
for start, length, kind, detail, track, name, _, _ in struct.iter_unpack("<ddBBHIIi", rows):
    if track in tasks:
        assert kind == 13 and detail in (WAITS, RUNS), (kind, detail)
        spans[track].append((start, start + length, detail, head["strings"][name]))
assert set(spans) == set(tasks), (tasks, spans)
for track, found in spans.items():
    for before, after in zip(found, found[1:]):
        assert before[1] <= after[0] + 1, (tasks[track], before, after)
    names = {name for _, _, detail, name in found if detail == RUNS}
    assert names <= {tasks[track], ""}, (tasks[track], names)
waits = {name for found in spans.values() for _, _, detail, name in found if detail == WAITS}
assert {"read", "receive"} & waits and len(waits) >= 2, waits
END
# Nothing of it is there without a recording.
expect 0 "$example"
