#!/usr/bin/env bash
# Each form is valid, and holds what the program did.
. trace/tests/common.bash
PHASOR_TRACE=file "$program" all >/dev/null
PHASOR_TRACE=named "$program" names >/dev/null
expect 0 "$phasor" report file --json
python3 -m json.tool out >/dev/null
expect 0 "$phasor" report --perfetto perfetto.json --html page.html file
expect 0 "$phasor" report --perfetto named.json --html named.html named
python3 - <<'END'
import base64, json, re, struct
trace = json.load(open("perfetto.json"))["traceEvents"]
kinds = {}
for event in trace:
    kinds.setdefault((event["ph"], event.get("cat")), []).append(event)
assert len(kinds["X", "work"]) == 11, len(kinds["X", "work"])
assert {e["id"] for e in kinds["s", "request"]} == {e["id"] for e in kinds["f", "request"]}
assert any("on_work" in e["name"] for e in kinds["X", "callback"])

def page(name):
    text = open(name, encoding="utf-8").read()
    assert not re.search(r'(src|href)="?(https?:)?//', text), "the page needs the network"
    head = json.loads(re.search(r'class="trace-head">(.*?)</script>', text, re.S)[1])
    data = b"".join(base64.b64decode(block) for block in
                    re.findall(r'class="trace-rows">(.*?)</script>', text, re.S))
    return head, list(struct.iter_unpack("<ddBBHIIi", data))

head, rows = page("page.html")
assert head["version"] == 1 and head["tracks"][0]["kind"] == "loop", head["tracks"]
assert all(row[4] < len(head["tracks"]) and row[5] < len(head["strings"]) for row in rows)
assert all(row[0] <= after[0] for row, after in zip(rows, rows[1:]))
count = lambda kind: sum(row[2] == kind for row in rows)
assert count(2) == 7 * count(1), (count(1), count(2))
assert count(6) == 11 and count(7) == 12 and count(10) == 7, (count(6), count(7), count(10))
work = [row for row in rows if row[2] == 6 and head["types"][row[3]] == "work"]
assert len(work) == 10 and all("on_work" in head["strings"][row[5]] for row in work)

head, rows = page("named.html")
names = [head["strings"][row[5]] for row in rows if row[2] in (4, 5)]
assert "parse (config.js:12)" in names, names
assert 'a <b> "tick"\n' in names and "caf\u00e9 \ufffd (x.js:1)" in names, names
assert [row[3] for row in rows if row[2] == 5] == [0, 1]
END
expect 0 "$phasor" report named
says out "timer callback parse (config.js:12)"

# A pipe is written to, not replaced.
mkfifo pipe
cat pipe >piped &
expect 0 "$phasor" report --perfetto pipe file
wait $!
[ -p pipe ] || fail "the pipe is gone"
cmp perfetto.json piped
