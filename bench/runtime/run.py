"""Runs each row of rows.txt with our runtime, with Node and with others in turns, and prints the
medians, with the lowest and the highest value, and how the processor time for the same work
compares.

usage: run.py PHASOR LOAD [--rounds N] [--only TEXT] [--beside "NAME COMMAND"]... [--write PAGE.md]

A ratio above 1 means that phasor is better than Node. With --write, the rows also go between the
page's markers: into the table that is there, or, with --only, in the place of the rows of these
names. What another runtime can't run, or not within a minute, is left empty.
"""
import argparse
import ctypes
import os
import re
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
HEAD = "| workload | phasor | Node 20 | ratio | ratio of processor time |"
OURS = "phasor", "node"
MARKERS = "<!-- figures -->\n", "<!-- end of figures -->\n"


def read_rows(only):
    for line in (HERE / "rows.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, unit, better, command = (part.strip() for part in line.split("|"))
            if re.search(only, name):
                yield name, unit, better, command


def measure(command, runtime, load, here=HERE):
    words = shlex.split(command.format(runtime=runtime, here=here, load=load))
    timed = words[0] == "seconds"
    began = time.perf_counter()
    used = processor_time()
    result = subprocess.run(words[timed:], capture_output=True, text=True, timeout=60)
    took = time.perf_counter() - began
    used = processor_time() - used
    found = re.search(r"\d+(\.\d+)?", result.stdout)
    if result.returncode != 0 or (found is None and not timed):
        raise ValueError(f"{' '.join(words)}: status {result.returncode}\n{result.stderr}")
    return took * 1000 if timed else float(found.group()), used


def measure_other(command, runtime, load, here):
    """None: it can't run this row."""
    try:
        return measure(command, runtime, load, here)
    except (ValueError, subprocess.TimeoutExpired):
        return None


def programs_for_others(folder):
    """Deno takes programs for ES modules unless a package says otherwise."""
    here = Path(folder) / "bench/runtime"
    shutil.copytree(HERE, here)
    keys = HERE.parents[1] / "runtime/tests/js/tls"
    shutil.copytree(keys, Path(folder) / "runtime/tests/js/tls")
    (Path(folder) / "package.json").write_text('{ "type": "commonjs" }\n')
    return here


def adopt_orphans():
    """Processes whose parents were ended, such as a cluster's workers, are ours: they count."""
    set_child_subreaper = 36
    ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0)


def processor_time():
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        pass
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def show(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def summary(runs, better):
    """The median, the range, and the processor time for the same work."""
    values = sorted(value for value, _ in runs)
    work = [used / value if better == "high" else used for value, used in runs]
    return statistics.median(values), values, statistics.median(work)


def other_cell(runs, unit, better):
    if not runs or None in runs:
        return "–"
    return f"{show(summary(runs, better)[0])} {unit}"


def table(rows, taken, others):
    lines = [HEAD + "".join(f" {name} |" for name in others), "|---" * (5 + len(others)) + "|"]
    for name, unit, better, _ in rows:
        ours, our_values, our_work = summary(taken[name, "phasor"], better)
        theirs, their_values, their_work = summary(taken[name, "node"], better)
        ratio = ours / theirs if better == "high" else theirs / ours
        cells = [f"{show(median)} {unit} ({show(values[0])} to {show(values[-1])})"
                 for median, values in ((ours, our_values), (theirs, their_values))]
        lines.append(f"| {name} | {cells[0]} | {cells[1]} | {ratio:.2f} | "
                     f"{their_work / our_work:.2f} |" +
                     "".join(f" {other_cell(taken.get((name, who)), unit, better)} |"
                             for who in others))
    return "\n".join(lines) + "\n"


def write(page, text, only):
    whole = Path(page).read_text()
    begin = whole.index(MARKERS[0]) + len(MARKERS[0])
    end = whole.index(MARKERS[1])
    if only:
        new = {line.split("|")[1].strip(): line for line in text.splitlines()[2:]}
        kept = [new.pop(line.split("|")[1].strip(), line) for line in
                whole[begin:end].splitlines()]
        text = "\n".join(kept + list(new.values())) + "\n"
    Path(page).write_text(whole[:begin] + text + whole[end:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("phasor")
    parser.add_argument("load")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="rows whose names match this pattern")
    parser.add_argument("--beside", action="append", default=[], metavar="'NAME COMMAND'",
                        help="another runtime, such as 'Deno deno run -A'")
    parser.add_argument("--write", metavar="PAGE", help="put the table into this page")
    options = parser.parse_args()
    adopt_orphans()
    rows = list(read_rows(options.only))
    others = dict(one.split(" ", 1) for one in options.beside)
    taken = {}
    with tempfile.TemporaryDirectory() as folder:
        here = programs_for_others(folder) if others else HERE
        for _ in range(options.rounds):
            for name, _, _, command in rows:
                for who, runtime in zip(OURS, (options.phasor, "node")):
                    value = measure(command, runtime, options.load)
                    taken.setdefault((name, who), []).append(value)
                for who, runtime in others.items():
                    runs = taken.setdefault((name, who), [])
                    if None not in runs:
                        runs.append(measure_other(command, runtime, options.load, here))
    text = table(rows, taken, others)
    print(text, end="")
    if options.write:
        write(options.write, text, options.only)


try:
    main()
except ValueError as error:
    sys.exit(str(error))
