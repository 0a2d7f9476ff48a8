"""Who may call whom: calls follow the includes. Reads the library's objects with nm.

    calls.py OBJECTS    the folder with one folder of objects for each room

A function may be called where the header that declares it may be included (includes.py). The
families may call each other's public functions, which uv.h declares; base, os and core call down
only. Core reaches what stands above it through the tables of assembly, which are data.
"""

import pathlib
import subprocess
import sys

import project
from rooms import BELOW, FAMILIES

POOL = {"ph_work_submit", "ph_work_cancel"}  # thread/pool.h
FUNCTIONS, DATA = "TW", "DRBV"


def symbols(path):
    """(kind, name) of each symbol of an object that other objects see or that it wants of them."""
    listed = subprocess.run(["nm", str(path)], capture_output=True, text=True, check=True)
    for line in listed.stdout.splitlines():
        kind, name = line.split()[-2:]
        if kind in FUNCTIONS + DATA + "U":
            yield kind, name


def may_use(room, kind, target, name):
    if target == room or room == "assembly":
        return True
    if target == "assembly":
        return kind in DATA and room == "core"
    if room in FAMILIES:
        return (target in ("core", "os", "base") or name in POOL or
                room == "process" and target == "stream" or name.startswith(("uv_", "phasor_")))
    return target in BELOW[room]


def main():
    root = pathlib.Path(sys.argv[1])
    defined, wanted = {}, []
    paths = sorted(root.rglob("*.o"))
    if not paths:
        sys.exit(f"no objects in {root}")
    for path in paths:
        room = path.relative_to(root).parts[0]
        for kind, name in symbols(path):
            if kind == "U":
                wanted.append((path.relative_to(root), room, name))
            else:
                defined[name] = (kind, room)
    breaks = []
    for path, room, name in wanted:
        kind, target = defined.get(name, (None, None))
        if target and room in FAMILIES | set(BELOW) | {"assembly"} and \
                not may_use(room, kind, target, name):
            breaks.append(("lib" / path, 1, f"{room} may not use {name} of {target}"))
    project.report(breaks, f"{len(paths)} objects")


main()
