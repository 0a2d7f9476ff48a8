"""served.py BUILD OUT: the CPU time that a request takes an HTTP server, recorded and not.

Of the whole process: the loop's thread, the one that writes and the one that takes stacks. Two
servers take turns of a fortieth of a second, one of them recorded (phasor attach), each for half of
ROUNDS rounds, with CONNECTIONS connections that always have a request under way; PAIRS times with
new servers, since no two processes are equally fast. OUT has the client, bench/runtime/load.c.
"""
import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SERVER = HERE.parent / "runtime" / "http_hello.js"
CONNECTIONS = os.environ.get("CONNECTIONS", "8 50").split()
ROUNDS = os.environ.get("ROUNDS", "120")
PAIRS = int(os.environ.get("PAIRS", "5"))


def servers(build):
    """What is served by whom: a name, and a command."""
    yield "our runtime", [build / "bin" / "phasor"]
    root = build / "clients" / "root"
    if not (root / "usr" / "bin" / "node").exists():
        print("Debian's node is not unpacked (make clients does it)")
    elif subprocess.run(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL).returncode != 0:
        print("Debian's node can't be run here: no mount namespaces")
    else:
        yield "Debian's node", [HERE.parent.parent / "lib/tests/clients/inside.sh", root, "node"]


def measure(build, out, command, connections):
    phasor, file = build / "bin" / "phasor", out / "served.trace"
    start = f"'{phasor}' attach $SERVER -o '{file}' 2>/dev/null"
    stop = f"'{phasor}' attach $SERVER --stop 2>/dev/null"
    words = [out / "load", "compare", connections, ROUNDS, start, stop, *command, SERVER]
    environment = dict(os.environ, LD_LIBRARY_PATH=str(build / "lib"))
    told = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    rounds = [tuple(map(float, line.split())) for line in told.stdout.splitlines()]
    for left in out.glob("served.trace*"):
        left.unlink()
    return rounds


def more(rounds):
    """In percent: the mean of the middle half of all rounds, of each half of them (see load.c)."""
    found = 1
    for half in rounds[:len(rounds) // 2], rounds[len(rounds) // 2:]:
        ratios = sorted(on / off for off, on in half)
        found *= statistics.mean(ratios[len(ratios) // 4:-(len(ratios) // 4)])
    return 100 * (found ** 0.5 - 1)


def main():
    build, out = Path(sys.argv[1]), Path(sys.argv[2])
    print("What recording adds to a request's CPU time: the median of pairs of servers, and all")
    for name, command in servers(build):
        for connections in CONNECTIONS:
            pairs = [measure(build, out, command, connections) for _ in range(PAIRS)]
            middle = statistics.median(off for rounds in pairs for off, on in rounds)
            each = sorted(more(rounds) for rounds in pairs)
            print(f"{name}, {connections} connections: {statistics.median(each):+.1f} % of "
                  f"{middle:.1f} us ({', '.join(f'{one:+.1f}' for one in each)})", flush=True)


main()
