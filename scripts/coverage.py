"""coverage.py BUILD COUNTERS [--missed]: what gcov counted, by file; fails below the floor.

COUNTERS holds the .gcda files of a run, in folders as in BUILD. A branch counts as taken if any
build of its line took it. What can't be taken is marked in the code (lib/base/certain.h) or listed
in lib/tests/coverage/not_taken.txt: FILE | part of the line's text | reason.
"""

import collections
import json
import os
import pathlib
import subprocess
import sys

LEFT_OUT = ("lib/tests/",)
LIST = pathlib.Path("lib/tests/coverage/not_taken.txt")
FLOOR = pathlib.Path("lib/tests/coverage/floor.txt")


def run_gcov(build, counters):
    """gcov's answer for each object: it wants the notes of the compiler beside the counters."""
    found = sorted(pathlib.Path(counters).rglob("*.gcda"))
    for data in found:
        notes = data.with_suffix(".gcno")
        if not notes.exists():
            notes.symlink_to(pathlib.Path(build).resolve() / notes.relative_to(counters))
    answer = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities"]
                            + [str(path) for path in found],
                            capture_output=True, text=True, check=False, cwd=build)
    return [json.loads(line) for line in answer.stdout.splitlines() if line]


def source_name(name, folder):
    path = pathlib.Path(os.path.normpath(os.path.join(folder, name)))
    root = pathlib.Path.cwd()
    return str(path.relative_to(root)) if path.is_relative_to(root) else None


def measure(build, counters):
    """{file: {line: [count of the line, [counts of its branches]]}} for the library's files."""
    files = collections.defaultdict(dict)
    for answer in run_gcov(build, counters):
        for file in answer["files"]:
            name = source_name(file["file"], answer["current_working_directory"])
            if name is None or not name.startswith("lib/") or name.startswith(LEFT_OUT):
                continue
            for line in file["lines"]:
                merge(files[name], line)
    return files


def merge(lines, line):
    """A function in a header is built into several objects, an inlined one several times."""
    branches = [branch["count"] for branch in line["branches"] if not branch["throw"]]
    known = lines.setdefault(line["line_number"], [0, []])
    known[0] += line["count"]
    if len(known[1]) == len(branches):
        known[1] = [a + b for a, b in zip(known[1], branches)]
    elif len(branches) > len(known[1]):
        known[1] = branches


def excuses():
    """[(file, text, reason)] of the list."""
    entries = []
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split(" | ")]
        if len(parts) != 3 or not all(parts):
            sys.exit(f"{LIST}: not FILE | TEXT | REASON: {line}")
        entries.append(tuple(parts))
    return entries


def forgive(files):
    """Takes what the list excuses out of the count; returns the entries that excuse nothing."""
    idle = []
    for file, text, _ in excuses():
        source = pathlib.Path(file).read_text(encoding="utf-8").splitlines()
        forgiven = 0
        for number, (count, branches) in list(files.get(file, {}).items()):
            if text in source[number - 1] and (count == 0 or 0 in branches):
                files[file][number] = [max(count, 1), [taken for taken in branches if taken]]
                forgiven += 1
        if forgiven == 0:
            idle.append(f"{file} | {text}")
    return idle


def share(taken, total):
    return 100.0 * taken / total if total else 100.0


def print_missed(file, lines):
    source = pathlib.Path(file).read_text(encoding="utf-8").splitlines()
    for number in sorted(lines):
        count, branches = lines[number]
        if count == 0 or 0 in branches:
            pattern = "".join("+" if taken else "-" for taken in branches)
            print(f"{file}:{number}: {pattern or 'line'}: {source[number - 1].strip()}")


def report(files, missed):
    totals = [0, 0, 0, 0]
    rows = []
    for file in sorted(files):
        lines = files[file]
        branches = [taken for _, all_of_line in lines.values() for taken in all_of_line]
        row = (sum(1 for count, _ in lines.values() if count), len(lines),
               sum(1 for taken in branches if taken), len(branches))
        totals = [total + part for total, part in zip(totals, row)]
        rows.append((file, row))
        if missed:
            print_missed(file, lines)
    print(f"{'file':34} {'lines':>14} {'branches':>18}")
    for file, row in rows + [("all", totals)]:
        print(f"{file:34} {row[0]:5}/{row[1]:<5} {share(*row[:2]):6.1f} % "
              f"{row[2]:5}/{row[3]:<5} {share(*row[2:]):6.1f} %")
    return {"lines": share(*totals[:2]), "branches": share(*totals[2:])}


def main():
    files = measure(sys.argv[1], sys.argv[2])
    if not files:
        sys.exit("nothing was counted")
    idle = forgive(files)
    shares = report(files, "--missed" in sys.argv)
    failed = False
    for entry in idle:
        print(f"{LIST}: this run needed no excuse for {entry}")
    for line in FLOOR.read_text(encoding="utf-8").splitlines():
        kind, floor = line.split()
        if shares[kind] < float(floor):
            print(f"{shares[kind]:.2f} % of the {kind} are taken, {floor} % were before ({FLOOR})")
            failed = True
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
