"""Runs each row of rows.txt with our runtime and with Node in turns, and prints the medians.

usage: run.py PHASOR LOAD [--rounds N] [--only TEXT] [--write PAGE.md]

A ratio above 1 means that phasor is better. With --write, the table also goes between the page's
markers.
"""
import argparse
import re
import shlex
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
MARKERS = "<!-- figures -->\n", "<!-- end of figures -->\n"


def read_rows(only):
    for line in (HERE / "rows.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, unit, better, command = (part.strip() for part in line.split("|"))
            if only in name:
                yield name, unit, better, command


def measure(command, runtime, load):
    words = shlex.split(command.format(runtime=runtime, here=HERE, load=load))
    timed = words[0] == "seconds"
    began = time.perf_counter()
    result = subprocess.run(words[timed:], capture_output=True, text=True, timeout=60)
    took = time.perf_counter() - began
    found = re.search(r"\d+(\.\d+)?", result.stdout)
    if result.returncode != 0 or (found is None and not timed):
        sys.exit(f"{' '.join(words)}: status {result.returncode}\n{result.stderr}")
    return took * 1000 if timed else float(found.group())


def show(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def table(rows, taken):
    lines = ["| workload | phasor | Node 20 | ratio |", "|---|---|---|---|"]
    for name, unit, better, _ in rows:
        ours, theirs = (statistics.median(taken[name, who]) for who in ("phasor", "node"))
        ratio = ours / theirs if better == "high" else theirs / ours
        lines.append(f"| {name} | {show(ours)} {unit} | {show(theirs)} {unit} | {ratio:.2f} |")
    return "\n".join(lines) + "\n"


def write(page, text):
    whole = Path(page).read_text()
    begin = whole.index(MARKERS[0]) + len(MARKERS[0])
    end = whole.index(MARKERS[1])
    Path(page).write_text(whole[:begin] + text + whole[end:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("phasor")
    parser.add_argument("load")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="rows whose names hold this text")
    parser.add_argument("--write", metavar="PAGE", help="put the table into this page")
    options = parser.parse_args()
    rows = list(read_rows(options.only))
    taken = {}
    for _ in range(options.rounds):
        for name, _, _, command in rows:
            for who, runtime in (("phasor", options.phasor), ("node", "node")):
                value = measure(command, runtime, options.load)
                taken.setdefault((name, who), []).append(value)
    text = table(rows, taken)
    print(text, end="")
    if options.write:
        write(options.write, text)


main()
