#!/usr/bin/env python3
"""report.py BUILD [PAGE]: fills the tables of docs/PLATFORMS.md (or of another page) with what
run.py and layouts.bash left below BUILD/platforms. What has not been run there stays as the page
has it."""

import collections
import fnmatch
import json
import pathlib
import platform as machine
import subprocess
import sys

import platforms

PAGE = "docs/PLATFORMS.md"
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


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def kept_rows(text):
    """{the first cells, joined: the row} of the tables of platforms and of sizes"""
    rows_there = [line for line in text.splitlines() if line.startswith("| ")]
    found = {" | ".join(cells(row)[:3]): row for row in rows_there if len(cells(row)) == 8}
    found.update({cells(row)[0]: row for row in rows_there if row.endswith(" kB |")})
    return found


def kept_reasons(text, title):
    """{reason: {platform: count}} of the table below that title"""
    found = {}
    for line in text.partition(title)[2].partition("|---|---|\n")[2].splitlines():
        if not line.startswith("| "):
            break
        reason, told = cells(line)
        places = (place.rsplit(" ", 1) for place in told.split(", "))
        found[reason] = {name: int(count) for name, count in places}
    return found


def rows(results, kept):
    for name, platform in platforms.all_platforms().items():
        if platform.only_quick:
            continue
        result = results.get(name)
        where = f"{platform.processor} | {platform.libc} | {platform.condition or 'as it is'}"
        if result is None:
            yield kept.get(where, f"| {where} | not run yet | | | | |")
        elif "broken" in result:
            yield f"| {where} | does not build | | | | |"
        else:
            yield (f"| {where} | {result['total']} | {result['passed']} | "
                   f"{len(result['skipped'])} | {len(result['impossible'])} | "
                   f"{len(result['failed'])} |")


def reasons(results, kind, kept):
    found = collections.defaultdict(lambda: collections.defaultdict(int))
    for reason, places in kept.items():
        for name, count in places.items():
            if name not in results:
                found[reason][name] = count
    for name, result in results.items():
        for reason in result.get(kind, {}).values():
            found[reason][name] += 1
    for reason, places in sorted(found.items()):
        told = ", ".join(f"{name} {places[name]}" for name in platforms.all_platforms()
                         if name in places)
        yield f"| {reason} | {told} |"


def sizes(folder, kept):
    """Of the shared library without what only a debugger reads."""
    for name, platform in platforms.all_platforms().items():
        library = folder / platform.build / "lib/libuv.so.1"
        if platform.build != name:
            continue
        if not library.exists():
            if name in kept:
                yield kept[name]
            continue
        said = subprocess.run(["size", "--format=sysv", library], capture_output=True, text=True,
                              check=False).stdout
        bytes_used = sum(int(line.split()[1]) for line in said.splitlines()
                         if len(line.split()) == 3 and line.startswith(".") and
                         not line.startswith((".debug", ".comment", ".gnu.lto")))
        if bytes_used:
            yield f"| {name} | {bytes_used // 1000} kB |"


def layouts(folder, old):
    title = "## Layouts\n"
    if (folder / "layouts.txt").exists():
        yield from (title, "Our header beside that of Debian's libuv1-dev 1.50 for each "
                    "processor, on 32 bits with large and with small file offsets:", "")
        for line in (folder / "layouts.txt").read_text(encoding="utf-8").splitlines():
            yield f"- {line}"
        yield ""
    elif title in old:
        yield title + old.partition(title)[2].partition("## ")[0].rstrip("\n")
        yield ""


def tables(folder, old):
    results = load(folder / "results")
    kept = kept_rows(old)
    skipped, impossible = "Skipped tests said themselves", "Impossible ones are those"
    yield from (f"On Linux {machine.release().split('-')[0]}, {machine.machine()}.", "")
    yield "| processor | C library | condition | tests | passed | skipped | impossible | failed |"
    yield "|---|---|---|---|---|---|---|---|"
    yield from rows(results, kept)
    yield from ("", f"{skipped} that they can't run:", "")
    yield from ("| reason | tests |", "|---|---|",
                *reasons(results, "skipped", kept_reasons(old, skipped)), "")
    yield from (f"{impossible} of `tests/platforms/exceptions.txt`:", "")
    yield from ("| reason | tests |", "|---|---|",
                *reasons(results, "impossible", kept_reasons(old, impossible)), "")
    yield from layouts(folder, old)
    yield from ("## Sizes", "", "`libuv.so.1`, built with `-O1`, without debug information:", "")
    yield from ("| platform | size |", "|---|---|", *sizes(folder, kept))


def main():
    folder = pathlib.Path(sys.argv[1]) / "platforms"
    page = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else PAGE)
    head, rest = page.read_text(encoding="utf-8").split(BEGIN, 1)
    old, tail = rest.split(END, 1)
    text = "\n".join(tables(folder, old))
    page.write_text(f"{head}{BEGIN}{text}\n{END}{tail}", encoding="utf-8")
    print(f"{page} is written")


main()
