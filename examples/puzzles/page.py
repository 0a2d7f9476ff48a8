#!/usr/bin/env python3
"""The programs in docs/PUZZLES.md are those that are run: its js blocks are parts of the linked
files, its text blocks what their .out files say, and every puzzle is told."""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "PUZZLES.md"


def main():
    wrong = []
    told = set()
    for section in re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        title = section.split("\n", 1)[0]
        link = re.search(r"\(\.\./examples/puzzles/([\w-]+\.m?js)\)", section)
        if not link:
            continue
        script = HERE / link[1]
        told.add(script)
        for kind, block in re.findall(r"```(js|text)\n(.*?)```", section, flags=re.DOTALL):
            if kind == "js" and block not in script.read_text(encoding="utf-8"):
                wrong.append(f"{title}: not in {script.name}:\n{block}")
            if kind == "text" and block != script.with_suffix(".out").read_text(encoding="utf-8"):
                wrong.append(f"{title}: {script.name} prints something else")
    untold = {*HERE.glob("*.js"), *HERE.glob("*.mjs")} - told
    wrong += [f"{script.name} is not explained" for script in sorted(untold)]
    print("\n".join(wrong) or f"{len(told)} puzzles")
    sys.exit(bool(wrong))


main()
