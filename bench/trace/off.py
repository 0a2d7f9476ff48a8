"""What the recorder costs while it is off: rows of the bench with the library as it is, with one
that was compiled without hooks, and with that one a second time, which shows the machine's noise.

    off.py PROGRAMS OURS NONE CASE...   (called by trace.sh, which see)

Each round runs all three, in turns that rotate. ROUNDS (15) says how many.
"""

import os
import pathlib
import statistics
import subprocess
import sys

ROUNDS = int(os.environ.get("ROUNDS", "15"))
SIDES = ("ours", "none", "again")


def run(program, case, library):
    """[(row, unit, value, better)]"""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("UV_", "PHASOR_"))}
    done = subprocess.run([program, case], env={**environment, "LD_LIBRARY_PATH": library},
                          capture_output=True, text=True, timeout=120, check=True)
    return [line.split("\t") for line in done.stdout.splitlines()]


def find_program(programs, case):
    for program in sorted(programs.iterdir()):
        listed = subprocess.run([program, "--list"], capture_output=True, text=True, check=True)
        if case in [line.split("\t")[0] for line in listed.stdout.splitlines()]:
            return program
    sys.exit(f"No workload has the case {case}.")


def measure(program, case, libraries):
    rows = {}
    for number in range(ROUNDS):
        turn = number % len(SIDES)
        for side in SIDES[turn:] + SIDES[:turn]:
            for name, unit, value, better in run(program, case, libraries[side]):
                row = rows.setdefault((name, unit, better), {side: [] for side in SIDES})
                row[side].append(float(value))
    return rows


def best(values, better):
    """The mean of the best quarter: what disturbs a run makes it slower, never faster."""
    ordered = sorted(values, reverse=better == "higher")
    return statistics.mean(ordered[:max(1, len(ordered) // 4)])


def slower(row, side, better):
    """By how many percent it is worse than without hooks."""
    ours, none = (best(row[which], better) for which in (side, "none"))
    return 100 * ((none / ours if better == "higher" else ours / none) - 1)


def main():
    programs = pathlib.Path(sys.argv[1])
    libraries = {"ours": sys.argv[2], "none": sys.argv[3], "again": sys.argv[3]}
    print(f"{'':<24} {'unit':>13} {'hooks off':>13} {'no hooks':>13} {'slower':>8} {'noise':>8}")
    for case in sys.argv[4:]:
        rows = measure(find_program(programs, case), case, libraries)
        for (name, unit, better), row in rows.items():
            ours, none = (best(row[side], better) for side in ("ours", "none"))
            print(f"{name:<24} {unit:>13} {ours:>13,.4g} {none:>13,.4g} "
                  f"{slower(row, 'ours', better):>7.1f}% {slower(row, 'again', better):>7.1f}%",
                  flush=True)


main()
