#!/usr/bin/env python3
"""plugins.py BUILD PAGE: what a program pays for each plug-in, into the table of docs/NPM.md: its
size, and the instructions (valgrind) and the resident memory of a program that loads it alone, less
those of an empty program."""
import os
import re
import subprocess
import sys

BEGIN, END = "<!-- plug-ins -->", "<!-- end of plug-ins -->"
USES = {
    "ares": "new (require('dns').Resolver)()",
    "binaries": None,
    "brotli": "require('zlib').brotliCompressSync('x')",
    "crypto": "require('crypto').createHash('sha256').update('x').digest()",
    "http2": "require('http2').createServer()",
    "icu": "new TextDecoder('shift_jis')",
    "inspector": "new (require('inspector').Session)().connect()",
    "intl": "(1e6).toLocaleString('de')",
    "napi": None,
    "sqlite": "new (require('node:sqlite').DatabaseSync)(':memory:')",
    "tls": "require('tls').createSecureContext()",
    "wasm": "new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))",
    "zstd": "require('zlib').zstdCompressSync('x')",
}


def instructions(phasor, code):
    ran = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", phasor,
                          "-e", code], capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", ran.stderr)
    return int(found.group(1)) if found and ran.returncode == 0 else None


def memory(phasor, code):
    """The most that it had in memory, in kB; of the smallest of five runs."""
    tell = ("console.log(/VmHWM:\\s+(\\d+)/.exec("
            "require('fs').readFileSync('/proc/self/status'))[1])")
    sizes = []
    for _ in range(5):
        ran = subprocess.run([phasor, "-e", f"{code}; {tell}"], capture_output=True, text=True,
                             check=True)
        sizes.append(int(ran.stdout.split()[-1]))
    return min(sizes)


def rows(build):
    phasor = os.path.join(build, "bin", "phasor")
    empty = instructions(phasor, "0"), memory(phasor, "0")
    yield (f"An empty program: {empty[0] / 1e6:.2f} million instructions, "
           f"{empty[1] / 1024:.1f} MB resident.\n")
    yield "| plug-in | size, kB | million instructions more | MB more | loaded by |"
    yield "|---|--:|--:|--:|---|"
    for name, code in USES.items():
        path = os.path.join(build, "lib", "phasor", f"{name}.so")
        if not os.path.exists(path) or code is None:
            continue
        size = os.path.getsize(path) // 1024
        more = instructions(phasor, code)
        if more is None:
            yield f"| {name} | {size} | | | `{code}` does not run here |"
            continue
        larger = (memory(phasor, code) - empty[1]) / 1024
        work = (more - empty[0]) / 1e6
        yield f"| {name} | {size} | {work:.1f} | {larger:.1f} | `{code}` |"


def main():
    build, page = sys.argv[1:]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    head, rest = text.split(BEGIN)
    table = "\n".join(rows(build))
    with open(page, "w", encoding="utf-8") as file:
        file.write(f"{head}{BEGIN}\n{table}\n{END}{rest.split(END)[1]}")


main()
