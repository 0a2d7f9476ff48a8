"""A test's name is a sentence: at least three words, no other test of its file has it, and CMake
finds it at the start of a line."""

import re

import project

TEST = re.compile(r"^([ \t]*)TEST\((\w*)\)", re.MULTILINE)
SENTENCE = re.compile(r"[a-z0-9]+(_[a-z0-9]+){2,}")
SCRIPTS = ("lib/tests/abi/", "runtime/tests/engine/", "tests/style/", "tests/install/",
           "trace/tests/", "sim/tests/")


def main():
    breaks = []
    count = 0
    for path in project.files(".c", ".sh"):
        name = str(path)
        if name.startswith(SCRIPTS) and path.suffix == ".sh":
            count += 1
            if not SENTENCE.fullmatch(path.stem):
                breaks.append((path, 1, "a test's name has at least three words"))
        if "tests" not in path.parts or path.suffix != ".c":
            continue
        source = project.code(path)
        seen = set()
        for match in TEST.finditer(source):
            indent, test = match.groups()
            line = project.line_of(source, match.start())
            count += 1
            if indent:
                breaks.append((path, line, f"TEST({test}) does not start its line"))
            if not SENTENCE.fullmatch(test):
                breaks.append((path, line, f"TEST({test}) has fewer than three words"))
            if test in seen:
                breaks.append((path, line, f"TEST({test}) is there twice"))
            seen.add(test)
    project.report(breaks, f"{count} tests")


main()
