"""served.py BUILD OUT: the CPU time that a request takes an HTTP server, recorded and not.

Of the whole process: the loop's thread, the one that writes and the one that takes stacks. Two
servers take turns of a fortieth of a second, one of them recorded (phasor attach) or watched
(phasor attach --watch), each for half of ROUNDS rounds, with CONNECTIONS connections that always
have a request under way; PAIRS times with new servers, since no two processes are equally fast.
SERVERS says which, by a part of their names. OUT has the client, bench/runtime/load.c.
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
PAIRS = int(os.environ.get("PAIRS", "4"))
SERVERS = os.environ.get("SERVERS", "")


def debians_node(build):
    """Unpacked by make clients, and run where it finds its libraries; None: it can't be."""
    root = build / "clients" / "root"
    if not (root / "usr" / "bin" / "node").exists():
        return None
    if subprocess.run(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL).returncode != 0:
        return None
    return [HERE.parent.parent / "lib/tests/clients/inside.sh", root, "node"]


def servers(build):
    """What is served by whom: a name, and a command."""
    phasor = build / "bin" / "phasor"
    yield "our runtime", [phasor]
    debians = debians_node(build)
    if debians:
        yield "Debian's node", debians
    for node in sorted(build.glob("nodes/*/bin/node"))[-1:]:
        yield f"Node {node.parts[-3]}, an official build", [phasor, "run", "--", node]


def measure(build, out, command, connections, watched):
    phasor, file = build / "bin" / "phasor", out / "served.trace"
    if watched:
        start = (f"'{phasor}' attach $SERVER --watch --moments '{out}/moments' "
                 f">'{out}/watch' 2>&1 & echo $! >'{out}/pid'; sleep 1")
        stop = (f"kill -INT $(cat '{out}/pid'); "
                f"while kill -0 $(cat '{out}/pid') 2>/dev/null; do sleep 0.05; done")
    else:
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
        ratios = sorted(on / off for off, on in half if on > 0 and off > 0)  # both had a turn
        found *= statistics.mean(ratios[len(ratios) // 4:-(len(ratios) // 4)])
    return 100 * (found ** 0.5 - 1)


def tell(build, out, name, command, connections, watched):
    pairs = [measure(build, out, command, connections, watched) for _ in range(PAIRS)]
    middle = statistics.median(off for rounds in pairs for off, on in rounds)
    each = sorted(more(rounds) for rounds in pairs)
    print(f"{name}, {connections} connections, {'watched' if watched else 'recorded'}: "
          f"{statistics.median(each):+.1f} % of {middle:.1f} us "
          f"({', '.join(f'{one:+.1f}' for one in each)})", flush=True)


def main():
    build, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    print("What is added to a request's CPU time: the median of pairs of servers, and all")
    for name, command in servers(build):
        for connections in CONNECTIONS if SERVERS in name else []:
            tell(build, out, name, command, connections, False)
        if SERVERS in name:
            tell(build, out, name, command, CONNECTIONS[0], True)


main()
