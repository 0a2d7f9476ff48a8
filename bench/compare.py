"""Runs every workload with both libraries in turn and prints one table of medians.

usage: compare.py PROGRAMS EXTERNAL RESULTS ONLY   (called by run.sh, which see)
PROGRAMS holds the workloads and the folders ours/ and peer/ with one libuv.so.1 each; EXTERNAL
holds more programs that speak the workloads' protocol (common.h describes it).
"""
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = int(os.environ.get("ROUNDS", "5"))
BUDGET = float(os.environ.get("BUDGET", "540"))  # seconds for all cases together
QUICK = 6  # seconds: a case that is done with its rounds earlier gets up to MORE times as many
MORE = 4
LIBC = os.environ.get("LIBC")
RUN_TIMEOUT = 120
SIDES = ("ours", "peer")
COLUMNS = "{:<29} {:>16} {:>12} {:>12} {:>7} {:>13} {:>12}"


def run(program, side, *arguments):
    """One run with one library; its output, or None if it could not run."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("UV_", "LD_"))}
    environment["LD_LIBRARY_PATH"] = str(libraries / side)
    environment["TMPDIR"] = scratch
    command = [program, *arguments]
    if LIBC:  # run under another C library than the system's
        loader = next(Path(LIBC).glob("ld-linux*.so.*"))
        command = [loader, "--library-path", f"{libraries / side}:{LIBC}", *command]
    try:
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=RUN_TIMEOUT)
    except (OSError, subprocess.TimeoutExpired) as error:
        failures.append(f"{program.name} {' '.join(arguments)} ({side}): {error}")
        return None
    if done.returncode == 0:
        return done.stdout
    reason = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
    reason = ": ".join(reason.split(": ")[-2:])
    failures.append(f"{program.name} {' '.join(arguments)} ({side}): {reason}")
    return None


def loaded_library(program, side):
    """The library that the program really uses, None if it can't tell; refuses a wrong one."""
    output = run(program, side, "--library")
    if output is None:
        return None
    wanted = (libraries / side / "libuv.so.1").resolve()
    version, _, path = output.strip().partition("\t")
    if Path(path).resolve() != wanted:
        sys.exit(f"{program.name} with {side} uses {path}, not {wanted}: no comparison.")
    return {"version": version, "path": str(wanted)}


def list_cases(program, only):
    """[(program, case, has a limit, rounds)]"""
    cases = []
    for line in (run(program, "peer", "--list") or "").splitlines():
        name, *options = line.split("\t")
        most = [int(o.partition("=")[2]) for o in options if o.startswith("rounds=")]
        if not only or any(part in name for part in only):
            cases.append((program, name, "limit" in options, min([ROUNDS, *most])))
    return cases


def measure(program, case, has_limit, rounds, seconds):
    """{row: {unit, better, ours: [...], peer: [...], limit: [...]}}, in interleaved rounds."""
    rows, start, lacking = {}, time.monotonic(), set()
    for number in range(rounds * MORE):
        if number >= rounds and time.monotonic() - start > QUICK:
            break
        turns = [(s, s, [case]) for s in (SIDES if number % 2 == 0 else SIDES[::-1])]
        if has_limit:
            turns.append(("limit", "peer", [case, "limit"]))
        for column, side, arguments in turns:
            output = None if column in lacking else run(program, side, *arguments)
            if output is None:
                lacking.add(column)
                continue
            for line in output.splitlines():
                name, unit, value, better = line.split("\t")
                row = rows.setdefault(name, {"unit": unit, "better": better,
                                             "ours": [], "peer": [], "limit": []})
                row[column].append(float(value))
        if time.monotonic() - start > seconds:
            break
    return rows or {case: {"unit": "", "better": "higher", "ours": [], "peer": [], "limit": []}}


def summarise(row):
    """Medians. The ratio, above 1 if ours is better, is taken in each round: the machine's speed
    drifts, and two runs next to each other suffer alike. Range: the rounds' extremes."""
    for column in (*SIDES, "limit"):
        row[column + "_median"] = statistics.median(row[column]) if row[column] else None
    pairs = [pair for pair in zip(row["ours"], row["peer"]) if all(pair)]
    ratios = [o / p if row["better"] == "higher" else p / o for o, p in pairs]
    row["ratio"] = statistics.median(ratios) if ratios else None
    row["range"] = [min(ratios), max(ratios)] if ratios else None


def number(value):
    if value is None:
        return "-"
    digits = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 2 if abs(value) >= 1 else 4
    return f"{value:,.{digits}f}"


def times(ratio):
    return f"{ratio:.{2 if ratio < 100 else 0}f}"


def print_row(name, row):
    ratio = times(row["ratio"]) if row["ratio"] else "-"
    extremes = "-".join(times(value) for value in row["range"] or []) or "-"
    print(COLUMNS.format(name, row["unit"], number(row["ours_median"]), number(row["peer_median"]),
                         ratio, extremes, number(row["limit_median"])), flush=True)


def main():
    external, results = Path(sys.argv[2]), Path(sys.argv[3])
    only = [part for part in sys.argv[4].split(",") if part]
    own = [p for p in sorted(libraries.iterdir()) if p.is_file() and os.access(p, os.X_OK)]
    others = [p for p in sorted(external.glob("*")) if p.is_file() and os.access(p, os.X_OK)]
    cases = [case for program in own + others for case in list_cases(program.resolve(), only)]
    if not cases:
        sys.exit("No workload has such a name.")
    used = {}
    for program in dict.fromkeys(case[0] for case in cases):
        found = {side: loaded_library(program, side) for side in SIDES}
        if all(found.values()):
            used = found
        else:
            cases = [case for case in cases if case[0] != program]
    if not cases:
        sys.exit("\n".join(["Nothing can run.", *failures]))

    for side, title in zip(SIDES, ("ours", "theirs")):
        print(f"{title:<7} {used[side]['version']:<8} {used[side]['path']}")
    print(COLUMNS.format("workload", "unit", "ours", "theirs", "ratio", "range", "limit"))
    table, deadline = {}, time.monotonic() + BUDGET
    for index, case in enumerate(cases):
        share = (deadline - time.monotonic()) / (len(cases) - index)
        for name, row in measure(*case, seconds=2 * share).items():
            summarise(row)
            print_row(name, row)
            table[name] = row

    results.mkdir(exist_ok=True)
    target = results / (os.environ.get("NAME", "latest") + ".json")
    machine = {"system": platform.platform(), "processors": os.cpu_count()}
    target.write_text(json.dumps({"machine": machine, "libraries": used, "rows": table,
                                  "failures": failures}, indent=1) + "\n")
    for line in failures:
        print("could not run:", line)
    print(f"All samples: {os.path.relpath(target)}")


libraries = Path(sys.argv[1]).resolve()
in_memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
scratch = tempfile.mkdtemp(prefix="bench-", dir=in_memory)
failures = []
try:
    main()
finally:
    shutil.rmtree(scratch, ignore_errors=True)
