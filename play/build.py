#!/usr/bin/env python3
"""Makes the page of phasor play: one HTML file without a program.

    build.py EDITOR.js PAGE.html

The modules in page/ are joined as the timeline's are (trace/viewer/build.py); the bundled editor,
the words, the rules (docs/RULES.md) and the lessons are put in.
"""

import importlib.util
import json
import pathlib
import sys

from rules import rules

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 600 * 1000


def viewer():
    """The functions that join the timeline's modules, for those of this page."""
    place = HERE.parent / "trace" / "viewer" / "build.py"
    spec = importlib.util.spec_from_file_location("viewer_build", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.SOURCE = HERE / "page"
    return module


def lessons():
    """Every lesson with its program and its answer, in the order of their files' names."""
    found = []
    for place in sorted((HERE / "lessons").glob("*/*.json"), key=lambda place: place.name):
        lesson = json.loads(place.read_text(encoding="utf-8"))
        program = place.parent / lesson["program"]
        if not program.exists():
            program = HERE.parent / lesson["program"]
        answer = HERE.parent / lesson.pop("answer") if "answer" in lesson \
            else place.with_suffix(".out")
        lesson.update(id=place.stem, name=program.name,
                      source=program.read_text(encoding="utf-8"),
                      answer=answer.read_text(encoding="utf-8"))
        found.append(lesson)
    return found


def words():
    """What the page says, in each language: its words, the sentences of steps, the rules."""
    return {place.stem: {**json.loads(place.read_text(encoding="utf-8")),
                         "rules": rules(place.stem)}
            for place in sorted((HERE / "words").glob("*.json"))}


def quoted(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def main():
    editor, out = map(pathlib.Path, sys.argv[1:])
    source = HERE / "page"
    page = (source / "page.html").read_text(encoding="utf-8")
    parts = {"/* style */\n": (source / "style.css").read_text(encoding="utf-8"),
             "/* lessons */\n": quoted(lessons()) + "\n",
             "/* words */\n": quoted(words()) + "\n",
             "/* editor */\n": editor.read_text(encoding="utf-8").replace("</script", "<\\/script"),
             "/* script */\n": viewer().joined("app.js")}
    for mark, text in parts.items():
        if page.count(mark) != 1:
            sys.exit(f"page.html does not have {mark.strip()} exactly once")
        if mark != "/* editor */\n" and ("</script" in text or "</style" in text):
            sys.exit(f"what is put at {mark.strip()} ends the element that it is put into")
        before, after = page.split(mark)
        page = before + text + after
    if len(page.encode()) > LIMIT:
        sys.exit(f"the page has {len(page.encode())} bytes, more than {LIMIT}")
    out.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
