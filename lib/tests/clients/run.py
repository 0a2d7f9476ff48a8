"""Runs Debian's own programs on this library and on Debian's libuv, and compares what they print.

    run.py FOLDER LIBRARY DEBIANS_LIBRARY [quick] [CLIENT...]

FOLDER/root holds the programs. Every run must show in its own memory map that it has loaded the
library it was meant to. Lines that begin with "# " are remarks: printed, not compared. Writes
FOLDER/results.tsv; FOLDER/outputs keeps what was printed.
"""

import difflib
import os
import pathlib
import random
import signal
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TIMEOUT = 300  # s
CLIENTS = {
    "node": ["node", HERE / "node.js"],
    "neovim": ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c",
               f"luafile {HERE / 'neovim.lua'}"],
    "uvloop": ["/usr/bin/python3", HERE / "uvloop_client.py"],
    "luv": ["lua5.1", HERE / "luv.lua"],
    "named": ["bash", HERE / "named.sh"],
    "cmake": ["bash", HERE / "cmake.sh"],
    "embedders": ["bash", HERE / "embedders.sh"],
    "dqlite": ["bash", HERE / "dqlite.sh", "FOLDER/dqlite"],
}
QUICK = ("uvloop", "luv", "cmake", "embedders")


def free_port():
    """Below 32768, where the kernel does not take ports for outgoing connections."""
    while True:
        port = random.randrange(20000, 32000)
        with socket.socket() as tcp, socket.socket(type=socket.SOCK_DGRAM) as udp:
            try:
                tcp.bind(("127.0.0.1", port))
                udp.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def run(name, root, library, **more):
    """(output, error or None, seconds)"""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="phasor-client-"))
    links = folder / "lib"
    (folder / "tmp").mkdir()
    links.mkdir()
    shutil.copy(library, links / "libuv.so.1")
    environment = {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8",
        "HOME": str(folder), "TMPDIR": str(folder / "tmp"), "LD_LIBRARY_PATH": str(links),
        "CLIENT_LIBRARY": str(folder / "loaded"), "PORT": str(free_port()),
        **more,
    }
    command = [str(word).replace("FOLDER", str(root.parent)) for word in CLIENTS[name]]
    begin = time.monotonic()
    process = subprocess.Popen(
        [HERE / "inside.sh", root, *command], env=environment, cwd=folder,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True)
    try:
        output = process.communicate(timeout=TIMEOUT)[0].decode(errors="replace")
        error = f"ended with {process.returncode}" if process.returncode != 0 else None
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output = process.communicate()[0].decode(errors="replace")
        error = f"not finished after {TIMEOUT} s"
    seconds = time.monotonic() - begin
    loaded = folder / "loaded"
    shown = loaded.read_text(encoding="utf-8").strip() if loaded.exists() else "none"
    if error is None and shown != str(links / "libuv.so.1"):
        error = f"has loaded {shown}"
    shutil.rmtree(folder, ignore_errors=True)
    return output, error, seconds


def compare(name, root, libraries, outputs):
    row = {"client": name}
    texts = {}
    for title, library in libraries.items():
        text, error, seconds = run(name, root, library)
        remarks = [line for line in text.splitlines() if line.startswith("# ")]
        for line in remarks:
            print(f"  {name}: {title}: {line[2:]}", flush=True)
        texts[title] = "\n".join(line for line in text.splitlines() if line not in remarks)
        (outputs / f"{name}.{title}").write_text(text, encoding="utf-8")
        row[title] = "fail" if error else "pass"
        row[title + "_seconds"] = f"{seconds:.1f}"
        if error:
            row.setdefault("note", f"{title}: {error}")
    for title in libraries:
        if row[title] == "pass" and texts[title] != texts["debian"]:
            row[title] = "fail"
            row.setdefault("note", f"{title}: prints something else")
        if row[title] == "fail":
            diff = difflib.unified_diff(texts["debian"].splitlines(), texts[title].splitlines(),
                                        "debian", title, lineterm="", n=0)
            print("\n".join(f"    {line[:200]}" for line in list(diff)[:30]))
    return row


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    ours = pathlib.Path(sys.argv[2])
    libraries = {"debian": pathlib.Path(sys.argv[3]), "ours": ours}
    only = [argument for argument in sys.argv[4:] if argument != "quick"]
    names = QUICK if "quick" in sys.argv[4:] else only or CLIENTS
    outputs = folder / "outputs"
    outputs.mkdir(exist_ok=True)
    columns = ("client", "ours", "debian", "ours_seconds", "debian_seconds", "note")
    rows = []
    for name in names:
        row = compare(name, folder / "root", libraries, outputs)
        rows.append(row)
        print(f"  {name}: " + ", ".join(
            f"{title} {row[title]} ({row[title + '_seconds']} s)" for title in libraries) +
            f" {row.get('note', '')}".rstrip(), flush=True)
    if len(rows) == len(CLIENTS):
        lines = ["\t".join(columns)]
        lines += ["\t".join(row.get(column, "") for column in columns) for row in rows]
        (folder / "results.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.exit(any(row["ours"] == "fail" for row in rows))


if __name__ == "__main__":
    main()
