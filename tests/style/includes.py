"""Who may include whom.

    base            nothing but base
    os              base
    core            base, os
    handle families core, os, base and thread/pool.h, but not each other (process -> stream is the
                    one exception)
    trace           base
    assembly        everything: it fills the tables of core
    sim             core, os, base, thread, trace: stands in for parts of them in the second build
    runtime, bench, examples, tests/behaviour
                    <uv.h> and files of their own folder only; tests/behaviour also harness.h

Everything in src/ may include uv.h and trace/trace.h.
"""

import pathlib
import re

import project
from rooms import BELOW, FAMILIES

FOR_ALL = {"uv.h", "phasor.h", "trace/trace.h"}
OUTSIDE = ("runtime", "bench", "examples", "tests/behaviour")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)


def inside(path, name):
    """Why a file in src/ may not include the name; None if it may."""
    room = path.parts[1]
    if name in FOR_ALL:
        return None
    if not pathlib.Path("src", name).exists():
        return f"{name} is not in src/: internal includes are relative to it"
    target = name.split("/")[0]
    if target == room or room == "assembly":
        return None
    if room in FAMILIES:
        allowed = {"core", "os", "base"} | ({"stream"} if room == "process" else set())
        if target in allowed or name == "thread/pool.h":
            return None
    elif room in BELOW:
        if target in BELOW[room]:
            return None
    else:
        return f"src/{room} is new: say in tests/style/includes.py what it may include"
    return f"{room} may not include {name}"


def outside(path, folder, name, quote):
    """Why a program on top of the library may not include the name; None if it may."""
    if name == "uv.h" or folder == "tests/behaviour" and name == "harness.h":
        return None
    if quote == '"':
        own = (path.parent / name).is_file() or pathlib.Path(folder, name).is_file()
        return None if own and ".." not in name else f'"{name}" is neither <uv.h> nor of {folder}/'
    private = pathlib.Path("src", name).is_file() or name.startswith("uv/")
    return f"{folder} includes <uv.h> only, not <{name}>" if private else None


def main():
    breaks = []
    paths = project.files(*project.C)
    for path in paths:
        source = project.text(path)
        folder = next((f for f in OUTSIDE if path.is_relative_to(f)), None)
        for match in INCLUDE.finditer(source):
            quote, name = match.groups()
            why = None
            if path.parts[0] == "src" and (quote == '"' or pathlib.Path("src", name).is_file()):
                why = inside(path, name)
            elif folder:
                why = outside(path, folder, name, quote)
            if why:
                breaks.append((path, project.line_of(source, match.start()), why))
    project.report(breaks, f"{len(paths)} files")


main()
