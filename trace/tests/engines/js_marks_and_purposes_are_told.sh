#!/usr/bin/env bash
# performance.mark and measure and console.time are on the timeline; work on the pool says what it
# was for: what derives a key is no file callback.
. trace/tests/common.bash
. "$source/trace/tests/engines/js.bash"
cat >app.js <<'END'
performance.mark('begin');
console.time('job');
setTimeout(function later() {
  performance.mark('end');
  performance.measure('all of it', 'begin', 'end');
  console.timeEnd('job');
  require('zlib').deflate('x', function deflated() {});
  require('fs').readFile(__filename, function readAll() {});
  try {
    require('crypto').pbkdf2('a', 'b', 10, 32, 'sha256', function derived() {});
  } catch {
    console.error('no crypto');
  }
}, 5);
END
expect 0 "$phasor" trace -o file app.js
cp err said
expect 0 "$phasor" report --perfetto - file
python3 - <<'END'
import json

events = json.load(open("out"))["traceEvents"]
marks = {e["name"]: e["dur"] for e in events if e.get("cat") == "mark"}
assert list(marks) == ["begin", "end", "all of it", "job"], marks
assert marks["begin"] == marks["end"] == 0 and marks["all of it"] >= 4000 <= marks["job"], marks
names = [e["name"] for e in events if e.get("cat") == "callback"]
wanted = ["zlib callback deflated (app.js:7)", "file callback readAll (app.js:8)"]
if "no crypto" not in open("said").read():
    wanted.append("crypto callback derived (app.js:10)")
for name in wanted:
    assert names.count(name) == 1, (name, names)
END
"$phasor" report file >out
says out "pool work zlib"
