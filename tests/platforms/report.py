#!/usr/bin/env python3
"""report.py BUILD: fills the tables of docs/PLATFORMS.md with what run.py and layouts.bash left
below BUILD/platforms."""

import collections
import fnmatch
import json
import pathlib
import platform as machine
import subprocess
import sys

import platforms

PAGE = pathlib.Path("docs/PLATFORMS.md")
BEGIN, END = "<!-- results -->\n", "<!-- end -->"


def load(folder):
    """What the runs said; an exception that was written down after a run counts."""
    found = {}
    for name in platforms.all_platforms():
        if not (folder / f"{name}.json").exists():
            continue
        result = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        known = platforms.exceptions(result.get("names", [name]))
        for test in list(result.get("failed", {})):
            for pattern, reason in known:
                if fnmatch.fnmatchcase(test, pattern) and test in result["failed"]:
                    result["impossible"][test] = reason
                    del result["failed"][test]
        found[name] = result
    return found


def rows(results):
    for name, platform in platforms.all_platforms().items():
        if platform.only_quick:
            continue
        result = results.get(name)
        where = f"{platform.processor} | {platform.libc} | {platform.condition or 'as it is'}"
        if result is None or "broken" in result:
            yield f"| {where} | {'not run yet' if result is None else 'does not build'} | | | | |"
            continue
        yield (f"| {where} | {result['total']} | {result['passed']} | {len(result['skipped'])} | "
               f"{len(result['impossible'])} | {len(result['failed'])} |")


def reasons(results, kind):
    found = collections.defaultdict(lambda: collections.defaultdict(int))
    for name, result in results.items():
        for reason in result.get(kind, {}).values():
            found[reason][name] += 1
    for reason, places in sorted(found.items()):
        told = ", ".join(f"{name} {count}" for name, count in places.items())
        yield f"| {reason} | {told} |"


def sizes(folder):
    """Of the shared library without what only a debugger reads."""
    for platform in platforms.all_platforms().values():
        library = folder / platform.build / "lib/libuv.so.1"
        if platform.build != platform.name or not library.exists():
            continue
        said = subprocess.run(["size", "--format=sysv", library], capture_output=True, text=True,
                              check=False).stdout
        bytes_used = sum(int(line.split()[1]) for line in said.splitlines()
                         if len(line.split()) == 3 and line.startswith(".") and
                         not line.startswith((".debug", ".comment", ".gnu.lto")))
        if bytes_used:
            yield f"| {platform.name} | {bytes_used // 1000} kB |"


def tables(folder):
    results = load(folder / "results")
    yield from (f"On Linux {machine.release().split('-')[0]}, {machine.machine()}.", "")
    yield "| processor | C library | condition | tests | passed | skipped | impossible | failed |"
    yield "|---|---|---|---|---|---|---|---|"
    yield from rows(results)
    yield from ("", "Skipped tests said themselves that they can't run:", "")
    yield from ("| reason | tests |", "|---|---|", *reasons(results, "skipped"), "")
    yield from ("Impossible ones are those of `tests/platforms/exceptions.txt`:", "")
    yield from ("| reason | tests |", "|---|---|", *reasons(results, "impossible"), "")
    layouts = folder / "layouts.txt"
    if layouts.exists():
        yield from ("## Layouts", "", "Our header beside that of Debian's libuv1-dev 1.50 for each "
                    "processor, on 32 bits with large and with small file offsets:", "")
        yield from (f"- {line}" for line in layouts.read_text(encoding="utf-8").splitlines())
        yield ""
    yield from ("## Sizes", "", "`libuv.so.1`, built with `-O1`, without debug information:", "")
    yield from ("| platform | size |", "|---|---|", *sizes(folder))


def main():
    folder = pathlib.Path(sys.argv[1]) / "platforms"
    head, rest = PAGE.read_text(encoding="utf-8").split(BEGIN, 1)
    tail = rest.split(END, 1)[1]
    text = "\n".join(tables(folder))
    PAGE.write_text(f"{head}{BEGIN}{text}\n{END}{tail}", encoding="utf-8")
    print(f"{PAGE} is written")


main()
