"""Who may include whom: rooms.py says it.

    lib/base        nothing but base
    lib/os          base
    lib/core        base, os
    handle families core, os, base and thread/pool.h, but not each other (process -> stream is the
                    one exception)
    lib/assembly    everything in lib: it fills the tables of core
    other products  what their row of PRODUCTS names, <uv.h> and <phasor.h>

Everything in lib may also include hooks.h and recording.h, which include nothing but each other,
<uv.h> and <phasor.h>. Nothing in lib includes a header of another product.
"""

import pathlib
import re

import project
from rooms import BELOW, FAMILIES, HOOKS, PRODUCTS, ROOTS

FOR_ALL = {"uv.h", "phasor.h"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)


def inside(path, name):
    """Why a file in lib/ may not include the name; None if it may."""
    room = path.parts[1]
    if name in FOR_ALL or name in HOOKS:
        return None
    if not pathlib.Path("lib", name).exists():
        return f"{name} is not in lib/: internal includes are relative to it"
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
        return f"lib/{room} is new: say in tests/style/rooms.py what it may include"
    return f"{room} may not include {name}"


def found(path, product, name, quote):
    """The file of ours that the name means; None if it is none of ours."""
    places = ([path.parent] if quote == '"' else []) + [pathlib.Path(root)
                                                        for root in ROOTS.get(product, (product,))]
    places += [pathlib.Path("lib/include"), pathlib.Path("lib/tests")]
    return next((place / name for place in places if (place / name).is_file()), None)


def between(path, folder, name, quote):
    """Why a file of another product may not include the name; None if it may."""
    if name in FOR_ALL:
        return None
    target = found(path, path.parts[0], name, quote)
    if name.startswith("uv/"):
        return f"{folder} includes <uv.h> only, not <{name}>"
    if target is None:
        # Another product's header by a way that its row does not know, or none of ours.
        private = any(pathlib.Path(root, name).is_file() for root in ("lib", "trace", "sim"))
        if quote == '"' or private:
            return f"{folder} may not include {name}"
        return None
    if ".." in name:
        return f"{name} goes up: includes are relative to the product"
    if target.is_relative_to("lib/include"):
        return f"{folder} includes <uv.h> only, not <{name}>"
    for allowed in (folder, *PRODUCTS[folder]):
        if target == pathlib.Path(allowed) or target.is_relative_to(allowed):
            return None
    return f"{folder} may not include {target}"


def rule(path):
    """The folder of PRODUCTS that the file is in; None if none has a say."""
    folders = [str(parent) for parent in path.parents]
    return next((folder for folder in folders if folder in PRODUCTS), None)


def main():
    breaks = []
    paths = project.files(*project.C)
    for path in paths:
        folder = rule(path)
        in_lib = path.parts[0] == "lib" and path.parts[1] not in ("tests", "include")
        if not folder and not in_lib or folder is not None and "tests" in path.parts[1:2] and \
                not folder.startswith("lib/tests"):
            continue
        source = project.text(path)
        for match in INCLUDE.finditer(source):
            quote, name = match.groups()
            why = None
            if in_lib:
                if quote == '"' or pathlib.Path("lib", name).is_file():
                    why = inside(path, name)
            else:
                why = between(path, folder, name, quote)
            if why:
                breaks.append((path, project.line_of(source, match.start()), why))
    project.report(breaks, f"{len(paths)} files")


main()
