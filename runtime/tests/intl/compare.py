"""compare.py PHASOR [NODE]: runs table.js with both and says where they differ. Both stand on ICU,
of different releases: known.txt has the kinds of rows and locales whose tables changed between
them. Fails if another one differs."""

import collections
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def rows(program):
    done = subprocess.run([program, HERE / "table.js"], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main():
    ours, nodes = rows(sys.argv[1]), rows(sys.argv[2] if len(sys.argv) > 2 else "node")
    known = {tuple(line.split(" | ")[:2])
             for line in (HERE / "known.txt").read_text(encoding="utf-8").splitlines()
             if line and not line.startswith("#")}
    differ = collections.Counter()
    unknown = 0
    for mine, theirs in zip(ours, nodes, strict=True):
        if mine == theirs:
            continue
        place = (mine[0], mine[1])
        differ[place] += 1
        if place not in known:
            unknown += 1
            print(f"{mine[:4]}\n  node   {theirs[4]!r}\n  phasor {mine[4]!r}")
    print(f"{len(ours)} rows, {sum(differ.values())} differ, {unknown} of them without a reason")
    sys.exit(unknown > 0)


main()
