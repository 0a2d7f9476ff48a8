"""a_debugger_at_the_terminal_steps_through_a_script.py PHASOR: `phasor inspect` starts a script,
stops where it is told to, starts it again with the same breakpoints, and ends with it."""

import pathlib
import sys
import tempfile

from debugger import Debugger, LIMIT

PROGRAM = """let x = 0;
function count(by) {
  x += by;
  return x;
}
count(1);
count(2);
console.log('done', x);
"""


def walk(debugger):
    debugger.wait(r"Break on start in script\.js:1\n> 1 let x = 0;")
    debugger.wait(r"debug> $")
    debugger.type("sb(3)", r"> 3 +x \+= by;")
    debugger.type("watch('by')")
    debugger.type("c", r"break in script\.js:3", r"0: by = 1")
    debugger.type("bt", r"#0 count script\.js:3:2\n#1 \(anonymous\) script\.js:6:0")
    debugger.type("exec [x, by]", r"\[ 0, 1 \]")
    debugger.type("n", r"break in script\.js:4")
    debugger.type("out", r"break in script\.js:7")
    debugger.type("restart", r"Break on start in script\.js:1")
    debugger.type("c", r"break in script\.js:3")
    debugger.type("cb('script.js', 3)")
    debugger.type("breakpoints", r"No breakpoints yet")
    debugger.type("c", r"< done 3", r"Waiting for the debugger to disconnect")
    debugger.type("c", r"Use `run` to start the app again")


def main():
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "script.js").write_text(PROGRAM, encoding="utf-8")
        debugger = Debugger([sys.argv[1], "inspect", "--port=0", "script.js"], folder)
        try:
            walk(debugger)
            debugger.child.stdin.close()
            assert debugger.child.wait(LIMIT) == 0
        finally:
            debugger.child.kill()
            debugger.child.wait()


main()
