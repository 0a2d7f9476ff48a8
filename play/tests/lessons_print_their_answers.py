"""lessons_print_their_answers.py PHASOR LESSONS ROOT: runs every lesson; what it prints is its
answer."""

import json
import pathlib
import subprocess
import sys

PHASOR, LESSONS, ROOT = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
sys.path.insert(0, str(LESSONS.parent))
from rules import rules  # noqa: E402

LEAST = 25


def printed(program):
    ran = subprocess.run([PHASOR, "play", str(program), "--events"], capture_output=True,
                         encoding="utf-8", timeout=120, check=True)
    rows = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("[")]
    return "".join(row[4] for row in rows if row[2] == "out" and row[3] == 1)


def texts_of(lesson):
    yield from (lesson["title"], lesson["goal"], lesson["learned"], *lesson["hints"])


def check(place, rules):
    """What is wrong with a lesson, in sentences."""
    lesson = json.loads(place.read_text(encoding="utf-8"))
    for text in texts_of(lesson):
        if sorted(text) != ["en", "zh"] or not all(text.values()):
            yield f"a text is not in both languages: {text}"
    if lesson["rule"] not in rules:
        yield f"there is no rule {lesson['rule']}"
    program = place.parent / lesson["program"]
    program = program if program.exists() else ROOT / lesson["program"]
    answer = ROOT / lesson["answer"] if "answer" in lesson else place.with_suffix(".out")
    said, expected = printed(program), answer.read_text(encoding="utf-8")
    if lesson.get("anyOrder"):
        said, expected = sorted(said.splitlines()), sorted(expected.splitlines())
    if said != expected or not said:
        yield f"it prints {said!r}, not {expected!r}"


def main():
    words = {name: json.loads((LESSONS.parent / "words" / f"{name}.json").read_text(
        encoding="utf-8")) for name in ("en", "zh")}
    failed = 0
    for part in ("words", "sentences"):
        if sorted(words["en"][part]) != sorted(words["zh"][part]):
            print(f"{part} are not the same in both languages")
            failed += 1
    places = sorted(LESSONS.glob("*/*.json"))
    for place in places:
        for problem in check(place, rules("en")):
            print(f"{place.name}: {problem}")
            failed += 1
    scripts = sum(json.loads(place.read_text(encoding="utf-8"))["course"] == "js"
                  for place in places)
    print(f"{len(places)} lessons, {scripts} of them in JavaScript, {failed} problems")
    sys.exit(failed > 0 or scripts < LEAST)


main()
