"""run.py BENCH [ROUNDS]: runs the bench's cases, the echo servers in turn with each other, and
prints a table with the figures to reach (docs/COROUTINES.md)."""

import statistics
import subprocess
import sys

LIMITS = {"switch": 10, "start_and_end": 100, "start_and_end_beside_100000_sleepers": 100,
          "10000_sleepers": 60, "1000000_sleepers": 5000, "handover_rendezvous": 50,
          "handover_bounded": 50, "handover_unbounded": 50}
CASES = (("switch",), ("start",), ("sleepers", "10000"), ("sleepers", "1000000"), ("channel",))
CONNECTIONS = (1, 50, 1000)
MESSAGES = 60000


def run(*arguments):
    """{name: (value, unit)} of one run."""
    output = subprocess.run([BENCH, *map(str, arguments)], check=True, capture_output=True,
                            text=True).stdout
    lines = (line.split() for line in output.splitlines())
    return {name: (float(value), unit) for name, value, unit in lines}


def best_of(rounds, arguments):
    """The lowest values: what others did on the machine only adds."""
    best = {}
    for _ in range(rounds):
        for name, (value, unit) in run(*arguments).items():
            if name not in best or value < best[name][0]:
                best[name] = (value, unit)
    return best


def main():
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    for arguments in CASES:
        for name, (value, unit) in best_of(1 if "sleepers" in arguments else rounds,
                                           arguments).items():
            print(f"{name:40} {value:10.1f} {unit:3} at most {LIMITS[name]} {unit}", flush=True)
    for connections in CONNECTIONS:
        ratios, lowest = [], {}
        for turn in range(rounds * 2):
            order = ("callbacks", "coroutines") if turn % 2 == 0 else ("coroutines", "callbacks")
            values = {}
            for kind in order:
                ((values[kind], _),) = run("echo", kind, connections, MESSAGES).values()
                lowest[kind] = min(lowest.get(kind, values[kind]), values[kind])
            ratios.append(values["coroutines"] / values["callbacks"])
        print(f"echo, {connections} connections: callbacks {lowest['callbacks']:.2f} us, "
              f"coroutines {lowest['coroutines']:.2f} us of processor per message; ratio "
              f"{statistics.median(ratios):.3f}, at most 1.05", flush=True)


BENCH = sys.argv[1]
main()
