"""User callbacks are called in lib/core/dispatch.h and nowhere else, so that there is one place
that accounts for them, traces them and states what holds around them.

A call is found by name: through a field that ends in "cb" (`handle->close_cb(...)`), or through a
variable of a type uv_..._cb. Thread entry points (uv_thread_cb) do not run on a loop and are free.
"""

import pathlib
import re

import project

DISPATCH = pathlib.Path("lib/core/dispatch.h")
FIELD = re.compile(r"(?:->|\.)\s*((?:\w+_)?cb)\s*\)?\s*\((?!\*)")
VARIABLE = re.compile(r"\b(uv_\w+_cb)\s+(\w+)\s*[,;=)]")


def calls(source):
    for match in FIELD.finditer(source):
        yield match.start(), match[1]
    names = {name for kind, name in VARIABLE.findall(source) if kind != "uv_thread_cb"}
    for name in names:
        # A call, not the declaration of a function pointer or of a function with that name.
        for match in re.finditer(rf"(?<![\w.>*] )(?<![\w.>]){name}\s*\)?\(", source):
            yield match.start(), name


def main():
    breaks = []
    paths = [path for path in project.files(*project.C) if path.parts[0] == "lib" and
             path.parts[1] not in ("tests", "include")]
    for path in paths:
        if path == DISPATCH:
            continue
        source = project.code(path)
        for position, name in calls(source):
            breaks.append((path, project.line_of(source, position),
                           f"calls the user's {name}: that is the work of {DISPATCH}"))
    project.report(breaks, f"{len(paths)} files")


main()
