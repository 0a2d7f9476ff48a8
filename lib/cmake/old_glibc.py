#!/usr/bin/env python3
"""old_glibc.py FOLDER VERSION COMPILER: libraries to link with, as the C library of that version
has them, made from the one that is installed: each function is there in its newest version that is
not newer, and nothing else. What is linked with them runs on that version and on all later ones.
"""

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
    said = subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True,
                          check=True).stdout.strip()
    return pathlib.Path(said).resolve()


def versions(library):
    """{symbol: [(version, size, is data)]} of what the library defines."""
    said = subprocess.run(["readelf", "--dyn-syms", "--wide", library], capture_output=True,
                          text=True, check=True).stdout
    found = {}
    for line in said.splitlines():
        match = re.match(r"\s*\d+: \S+ +(\S+) +(\w+) +(\w+) +\w+ +(?:\[.*\] +)?(\S+) "
                         r"(\w+)@@?(GLIBC_[\d.]+)", line)
        if match and match[4] != "UND" and match[2] != "TLS":
            size = int(match[1], 0)
            found.setdefault(match[5], []).append((match[6], size, match[2] == "OBJECT"))
    return found


def choose(library, limit):
    """(symbol, version, size, is data), the newest that is not newer than the limit."""
    for symbol, known in sorted(versions(library).items()):
        old = [entry for entry in known if number(entry[0]) <= limit]
        if old:
            yield symbol, *max(old, key=lambda entry: number(entry[0]))


def write_stub(folder, name, chosen, compiler):
    source = [".text"]
    for index, (symbol, version, size, is_data) in enumerate(chosen):
        label = f"stub_{index}"
        source += [".data" if is_data else ".text", f".globl {label}",
                   f".type {label}, {'%object' if is_data else '%function'}",
                   f"{label}:", f".zero {max(size, 1) if is_data else 4}",
                   f".size {label}, {max(size, 1) if is_data else 4}",
                   f".symver {label}, {symbol}@@{version}, remove"]
    nodes = "\n".join(f"{version} {{ }};" for version in sorted({row[1] for row in chosen}))
    (folder / f"{name}.s").write_text("\n".join(source) + "\n", encoding="utf-8")
    (folder / f"{name}.map").write_text(nodes + "\n", encoding="utf-8")
    subprocess.run([compiler, "-shared", "-nostdlib", f"-Wl,-soname,{name}",
                    f"-Wl,--version-script={folder / name}.map", folder / f"{name}.s", "-o",
                    folder / name], check=True)


def main():
    folder, limit, compiler = pathlib.Path(sys.argv[1]), number(sys.argv[2]), sys.argv[3]
    folder.mkdir(parents=True, exist_ok=True)
    libraries = ("libc.so.6", "libm.so.6") + FORMER
    for name in libraries:
        write_stub(folder, name, list(choose(path_of(compiler, name), limit)), compiler)
    rest = path_of(compiler, "libc_nonshared.a")
    loader = next(path for path in (path_of(compiler, name) for name in LOADERS) if path.exists())
    (folder / "libc.so").write_text(
        f"GROUP ( {folder / 'libc.so.6'} {rest} AS_NEEDED ( {loader} ) )\n",
        encoding="utf-8")
    (folder / "libm.so").write_text(f"GROUP ( {folder / 'libm.so.6'} )\n", encoding="utf-8")


main()
