"""the_inspector_serves_nodes_own_client.py PHASOR: `node inspect HOST:PORT` steps through a program
of ours. Without Node 20, `phasor inspect` is the client."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from debugger import Debugger, LIMIT

PROGRAM = """let x = 0;
function count(by) {
  x += by;
  return x;
}
for (let i = 0; i < 3; i++) {
  count(i);
}
const name = 'World';
debugger;
console.log('hello', name, x);
"""


def walk(client):
    client.wait(r"(?i)break on start in .*walked\.js:1")
    client.wait(r"debug> $")
    client.type("next", r"break in .*walked\.js:6")
    client.type("sb('walked.js', 3, 'by > 1')", r"> 3 +x \+= by;")
    client.type("breakpoints", r"#0 .*walked\.js:3")
    client.type("cont", r"break in .*walked\.js:3")
    client.type("bt", r"#0 count .*:3", r"#1 \(anonymous\) .*:7")
    client.type("exec [x, by]", r"\[ 1, 2 \]")
    client.type("exec by = 10", r"10")
    client.type("step", r"break in .*walked\.js:4")
    client.type("out", r"break in .*walked\.js:6")
    client.type("profile")
    client.type("profileEnd", r"Profile \d+")
    client.type("scripts", r"\* \d+: .*walked\.js")
    client.type("cont", r"break in .*walked\.js:10")
    client.type("exec name + x", r"World11")
    client.type("exec nothing", r"ReferenceError: nothing is not defined")
    client.child.stdin.write(b"cont\n")
    client.child.stdin.flush()


def find_client(phasor):
    node = shutil.which("node")
    if node:
        version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
        if version.stdout.startswith("v20."):
            return node
    return phasor


def main():
    phasor = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder, "walked.js")
        script.write_text(PROGRAM, encoding="utf-8")
        child = subprocess.Popen([phasor, "--inspect-brk=0", script], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        port = re.search(r":(\d+)/", child.stderr.readline().decode())[1]
        client = Debugger([find_client(phasor), "inspect", f"127.0.0.1:{port}"])
        try:
            walk(client)
            assert child.stdout.readline() == b"hello World 11\n"
            client.child.stdin.close()
            client.child.wait(LIMIT)
            assert child.wait(LIMIT) == 0
        finally:
            for one in (client.child, child):
                one.kill()
                one.wait()


main()
