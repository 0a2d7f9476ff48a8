#!/usr/bin/env python3
"""make.py FOLDER VERSION COMPILER...: libraries to link with, as the C library of that version
has them, made from the one that is installed: each function is there in its newest version that is
not newer, and nothing else but the newer ones beside this file. What is linked with them runs on
that version and on all later ones."""

import pathlib
import re
import subprocess
import sys

# Other libraries until 2.34, which have names only today.
FORMER = ("libpthread.so.0", "libdl.so.2")
LOADERS = ("ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1")


def number(version):
    return tuple(int(part) for part in re.findall(r"\d+", version))


def path_of(compiler, name):
    said = subprocess.run([*compiler, f"-print-file-name={name}"], capture_output=True, text=True,
                          check=True).stdout.strip()
    return pathlib.Path(said).resolve()


def versions(library):
    """{symbol: [(version, size, where it is in memory, or None: a function, is weak)]} of what the
    library defines."""
    said = subprocess.run(["readelf", "--dyn-syms", "--wide", library], capture_output=True,
                          text=True, check=True).stdout
    found = {}
    for line in said.splitlines():
        match = re.match(r"\s*\d+: (\S+) +(\S+) +(\w+) +(\w+) +\w+ +(?:\[.*\] +)?(\S+) "
                         r"(\w+)@@?(GLIBC_[\d.]+)", line)
        if match and match[5] != "UND" and match[3] != "TLS":
            place = match[1] if match[3] == "OBJECT" else None
            found.setdefault(match[6], []).append(
                (match[7], max(int(match[2], 0), 1), place, match[4] == "WEAK"))
    return found


def choose(library, limit):
    """(symbol, version, size, place, is weak), the newest that is not newer than the limit."""
    for symbol, known in sorted(versions(library).items()):
        old = [entry for entry in known if number(entry[0]) <= limit]
        if old:
            yield symbol, *max(old, key=lambda entry: number(entry[0]))


def write_stub(folder, name, chosen, compiler):
    # Names of one variable, such as environ and __environ, stay together: a program that has a copy
    # of it says so for all of them.
    places = {}
    for row in chosen:
        places.setdefault(row[3] or f"function {row[0]}", []).append(row)
    source = []
    for index, rows in enumerate(places.values()):
        is_data = rows[0][3] is not None
        source.append(".data\n.balign 32" if is_data else ".text")
        for at, (symbol, version, size, _, is_weak) in enumerate(rows):
            label = f"stub_{index}_{at}"
            source += [f".{'weak' if is_weak else 'globl'} {label}",
                       f".type {label}, {'%object' if is_data else '%function'}", f"{label}:",
                       f".size {label}, {size if is_data else 4}",
                       f".symver {label}, {symbol}@@{version}, remove"]
        source.append(f".zero {max(row[2] for row in rows) if is_data else 4}")
    nodes = "\n".join(f"{version} {{ }};" for version in sorted({row[1] for row in chosen}))
    (folder / f"{name}.s").write_text("\n".join(source) + "\n", encoding="utf-8")
    (folder / f"{name}.map").write_text(nodes + "\n", encoding="utf-8")
    subprocess.run([*compiler, "-shared", "-nostdlib", f"-Wl,-soname,{name}",
                    f"-Wl,--version-script={folder / name}.map", folder / f"{name}.s", "-o",
                    folder / name], check=True)


def constants(compiler, header, prefix, kept):
    """NAME(...) for each number that the header has a name for, with what is kept of the prefix."""
    said = subprocess.run([*compiler, "-D_GNU_SOURCE", "-dM", "-E", "-include", header, "-x", "c",
                           "/dev/null"], capture_output=True, text=True, check=True).stdout
    found = re.findall(rf"^#define {prefix}([A-Z0-9]+) (\d+)$", said, re.MULTILINE)
    return [f"NAME({kept}{name})" for name in {value: name for name, value in found}.values()]


def archive_newer_functions(folder, compiler):
    """Each file beside this one has a newer function, and goes where it is called."""
    names = {"strerrorname_np.c": constants(compiler, "errno.h", "E", "E"),
             "sigabbrev_np.c": constants(compiler, "signal.h", "SIG", "")}
    objects = []
    for source in sorted(pathlib.Path(__file__).parent.glob("*.c")):
        objects.append(folder / f"{source.stem}.o")
        subprocess.run([*compiler, "-std=gnu11", "-D_GNU_SOURCE", "-O2", "-fPIC",
                        "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror",
                        "-I", pathlib.Path(__file__).parents[2],
                        f"-DNAMES={' '.join(names.get(source.name, []))}", "-c", source, "-o",
                        objects[-1]], check=True)
    archiver = subprocess.run([*compiler, "-print-prog-name=ar"], capture_output=True, text=True,
                              check=True).stdout.strip()
    archive = folder / "newer.a"
    archive.unlink(missing_ok=True)
    subprocess.run([archiver, "rcD", archive, *objects], check=True)
    return archive


def main():
    folder, limit, compiler = pathlib.Path(sys.argv[1]), number(sys.argv[2]), sys.argv[3:]
    folder.mkdir(parents=True, exist_ok=True)
    libraries = ("libc.so.6", "libm.so.6") + FORMER
    for name in libraries:
        write_stub(folder, name, list(choose(path_of(compiler, name), limit)), compiler)
    rest = path_of(compiler, "libc_nonshared.a")
    loader = next(path for path in (path_of(compiler, name) for name in LOADERS) if path.exists())
    newer = archive_newer_functions(folder, compiler)
    (folder / "libc.so").write_text(
        f"GROUP ( {folder / 'libc.so.6'} {newer} {rest} AS_NEEDED ( {loader} ) )\n",
        encoding="utf-8")
    (folder / "libm.so").write_text(f"GROUP ( {folder / 'libm.so.6'} )\n", encoding="utf-8")


main()
