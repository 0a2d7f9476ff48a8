"""puzzle_pages.py STORED.html NEW.html: the stored page has the player, the programs and the output
that a new one has. Times and names of the runtime's own functions may be others."""

import json
import re
import sys

DATA = re.compile(r'<script type="application/json" id="play-data">(.*?)</script>', re.DOTALL)
LEAST = 13


def read(name):
    """The page without its data; name, source and output of each program."""
    with open(name, encoding="utf-8") as file:
        page = file.read()
    data = json.loads(DATA.search(page)[1])
    programs = []
    for one in (data, *data["others"]):
        rows = [json.loads(line) for line in one["lines"].splitlines() if line.startswith("[")]
        output = "".join(row[4] for row in rows if row[2] == "out" and row[3] == 1)
        programs.append((one["name"], one["source"], output))
    return DATA.sub("", page), programs


def main():
    stored, new = map(read, sys.argv[1:3])
    if stored[0] != new[0]:
        sys.exit("the player has changed: run play/puzzles.sh")
    for one, other in zip(stored[1], new[1]):
        if one != other:
            sys.exit(f"{one[0]} has changed: run play/puzzles.sh\n{one[2]}\n{other[2]}")
    if len(stored[1]) != len(new[1]) or len(new[1]) < LEAST:
        sys.exit(f"{len(stored[1])} programs are stored, {len(new[1])} are there")


main()
