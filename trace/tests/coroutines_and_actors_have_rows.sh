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

# One that waited already when the recording began is there from its next wait on, with its name.
cat >late.c <<'END'
#include <phasor.h>

static int wait(void* arg) {
    (void)arg;
    return go_sleep(20) != 0 ? UV_EINVAL : go_sleep(1);
}

static int first(void* arg) {
    const go_options_t options = {.name = "early bird"};
    int status = go_start_with(go_loop(), &options, wait, arg, NULL);
    if (status == 0)
        status = phasor_trace_start("late");
    return status == 0 ? go_sleep(40) : status;
}

int main(void) {
    return go_main(first, NULL) != 0 || phasor_trace_stop() != 0;
}
END
"${CC:-gcc}" -std=gnu11 ${sanitizer:+-fsanitize=$sanitizer} -I"$source/lib/include" \
    -I"$source/go/include" late.c -o late.program -L"$build/lib" -lphasor_go -luv
expect 0 ./late.program
expect 0 "$phasor" report late --html page.html
grep -q '"kind": "task", "process": 0, "name": "early bird"' page.html || fail "it has no row"
