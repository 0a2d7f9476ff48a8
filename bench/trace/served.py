"""served.py BUILD OUT: the CPU time that a request takes an HTTP server, recorded and not.

Of the whole process: the loop's thread, the one that writes and the one that takes stacks. A
recording is switched on and off in a running server (phasor attach), ROUNDS rounds of a quarter of
a second each, with CONNECTIONS connections that always have a request under way. OUT has the
client, bench/runtime/load.c.
"""
import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SERVER = HERE.parent / "runtime" / "http_hello.js"
CONNECTIONS = os.environ.get("CONNECTIONS", "8 50").split()
ROUNDS = os.environ.get("ROUNDS", "40")


def servers(build):
    """What is served by whom: a name, and a command."""
    yield "our runtime", [build / "bin" / "phasor"]
    root = build / "clients" / "root"
    if not (root / "usr" / "bin" / "node").exists():
        print("Debian's node is not unpacked (make clients does it)")
    elif subprocess.run(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL).returncode != 0:
        print("Debian's node can't be run here: no mount namespaces")
    else:
        yield "Debian's node", [HERE.parent.parent / "tests/clients/inside.sh", root, "node"]


def measure(build, out, command, connections):
    phasor, file = build / "bin" / "phasor", out / "served.trace"
    start = f"'{phasor}' attach $SERVER -o '{file}' 2>/dev/null"
    stop = f"'{phasor}' attach $SERVER --stop 2>/dev/null"
    words = [out / "load", "compare", connections, ROUNDS, start, stop, *command, SERVER]
    environment = dict(os.environ, LD_LIBRARY_PATH=str(build / "lib"))
    told = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    taken = {"off": [], "on": []}
    for line in told.stdout.splitlines():
        state, value = line.split()
        taken[state].append(float(value))
    for left in out.glob("served.trace*"):
        left.unlink()
    return taken["off"], taken["on"]


def show(values):
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{middle:6.2f} us ({low:.2f} to {high:.2f})"


def main():
    build, out = Path(sys.argv[1]), Path(sys.argv[2])
    print("A request's CPU time: the median, and the middle half of all rounds")
    for name, command in servers(build):
        for connections in CONNECTIONS:
            off, on = measure(build, out, command, connections)
            more = 100 * (statistics.median(on) / statistics.median(off) - 1)
            print(f"{name}, {connections} connections: {show(off)} not recorded, "
                  f"{show(on)} recorded: {more:+.1f} %", flush=True)


main()
