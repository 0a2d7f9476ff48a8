#!/usr/bin/env bash
# A script that a compiler has written: reports name the file and line of the programmer, where a
# source map says them, inside of the script or beside it; and a map that is none does no harm.
. trace/tests/common.bash
. "$source/trace/tests/engines/js.bash"
mkdir -p dist
# The source begins ten lines earlier, so to say.
python3 - <<'END_OF_PYTHON'
import base64, json
code = """function crunch(ms) {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < ms * 1000) for (let i = 0; i < 1e4; i++) Math.sqrt(i);
}
setTimeout(function slowRoute() { crunch(150); }, 5);
"""
source_map = {"version": 3, "sourcesContent": ["a \"quoted\" ] } text"], "sourceRoot": "",
              "sources": ["../src/lib/../app.ts"], "names": [],
              "mappings": ";".join(["AAUA"] + ["AACA"] * (code.count("\n") - 1))}
text = json.dumps(source_map)
inside = "data:application/json;charset=utf-8;base64," + base64.b64encode(text.encode()).decode()
open("dist/inside.js", "w").write(f"{code}//# sourceMappingURL={inside}\n")
open("dist/beside.js", "w").write(f"{code}//# sourceMappingURL=beside.js.map\n")
open("dist/beside.js.map", "w").write(text)
for name, broken in (("none", '{"version": 3, "sections": []}'), ("cut", text[:70]), ("bad", "["),
                     ("far", text.replace("AAUA", "AggggggggggggggggA")),
                     # Each line is from two places, as where a whole program is one line.
                     ("mixed", text.replace("AAUA", "AAUA,KAkBA").replace("AACA", "AACA,KAkBA"))):
    open(f"dist/{name}.js", "w").write(f"{code}//# sourceMappingURL={name}.map\n")
    open(f"dist/{name}.map", "w").write(broken)
END_OF_PYTHON
for script in inside beside; do
    expect 0 "$phasor" trace -o file "dist/$script.js"
    expect 0 "$phasor" report file
    says out "crunch (src/app.ts:11) < slowRoute (src/app.ts:15)"
    expect_json file 'any(f["function"] == "slowRoute (src/app.ts:15)" or
                          "slowRoute" in f["function"] and f.get("line") == 15
                          for f in report["functions"])'
done
for script in none cut bad far mixed; do
    expect 0 "$phasor" trace -o file "dist/$script.js"
    expect 0 "$phasor" report file
    says out "crunch (dist/$script.js:1) < slowRoute (dist/$script.js:5)"
done
# What was changed after the recording is not what ran.
expect 0 "$phasor" trace -o file dist/beside.js
touch -d '+1 hour' dist/beside.js
expect 0 "$phasor" report file
says out "slowRoute (dist/beside.js:5)"
