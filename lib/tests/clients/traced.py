"""Debian's node, neovim and uvloop under phasor trace: each prints and ends as it does untraced,
and its recording makes sense in every form.

    traced.py FOLDER BUILD [CLIENT...]

FOLDER/root holds the programs, BUILD the library and the phasor command.
"""

import base64
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

import run

TRACED = ("node", "neovim", "uvloop")
# A function that the programs' symbol tables name. They are stripped: what is not exported is
# shown by its place in its file.
NAMED = {"node": "node::Environment::RunTimers"}
MOST_KINDS = 16  # of rows, trace/viewer/DATA.md
ITERATION, PHASE, CALLBACK = 1, 2, 4
ROW = struct.Struct("<ddBBHIIi")


class Wrong(Exception):
    """What is not as it should be, as a sentence."""


def require(condition, what):
    if not condition:
        raise Wrong(what)


class Client:
    """One program in a folder of its own."""

    def __init__(self, name, root, build, folder):
        self.command = [str(part) for part in run.CLIENTS[name]]
        self.name = name
        self.root = root
        self.build = build
        self.folder = folder
        self.phasor = build / "bin" / "phasor"

    def inside(self, command, **more):
        environment = {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "LANG": "C.UTF-8", "HOME": str(self.folder), "TMPDIR": str(self.folder / "tmp"),
            "CLIENT_LIBRARY": str(self.folder / "loaded"), "PORT": str(run.free_port()), **more}
        return subprocess.run([run.HERE / "inside.sh", self.root, *command], env=environment,
                              cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=run.TIMEOUT, check=False)

    def compare(self):
        """What it prints and how it ends. neovim prints on standard error."""
        library = self.build / "lib"
        plain = self.inside(self.command, LD_LIBRARY_PATH=str(library))
        require(plain.returncode == 0, f"ends with {plain.returncode} untraced")
        traced = self.inside([self.phasor, "trace", "-o", "trace", "--", *self.command])
        require(traced.returncode == 0,
                f"ends with {traced.returncode}: {traced.stderr.decode(errors='replace')}")
        require(traced.stdout == plain.stdout, f"prints something else: {traced.stdout!r}")
        errors = [line for line in traced.stderr.splitlines(keepends=True)
                  if not line.startswith(b"phasor trace: ")]
        require(b"".join(errors) == plain.stderr, f"complains: {errors}")
        loaded = (self.folder / "loaded").read_text(encoding="utf-8")
        require(pathlib.Path(loaded).resolve().parent == library.resolve(), f"loaded {loaded}")

    def report(self, path, *forms):
        done = self.inside([self.phasor, "report", path, *forms])
        require(done.returncode == 0 and not done.stderr, f"{path.name}: {done.stderr.decode()}")
        return done.stdout.decode()

    def check_recording(self, path, main):
        # A child may leave by _exit in a callback.
        mode = "left" if main else "cut"
        done = subprocess.run([self.build / "tests" / "trace" / "events", path, mode],
                              capture_output=True, check=False)
        require(done.returncode == 0, f"{path.name} is not consistent: {done.stderr.decode()}")
        report = json.loads(self.report(path, "--json"))
        check_report(report, main)
        page, perfetto = self.folder / "page.html", self.folder / "perfetto.json"
        self.report(path, "--html", page, "--perfetto", perfetto)
        check_page(page.read_text(encoding="utf-8"), report)
        check_perfetto(json.loads(perfetto.read_text(encoding="utf-8")), report)
        if main:
            require(NAMED.get(self.name, "") in perfetto.read_text(encoding="utf-8"),
                    "a function has no name")
        return report


def check_report(report, main):
    require(not report["damaged"] and (not main or report["status"] == "complete"), "has no end")
    for loop in report["loops"]:
        require(0 <= loop["utilisation"] <= 1, f"utilisation {loop['utilisation']}")
        phases = loop["phases"].values()
        require(sum(phase["callbacks"] for phase in phases) <= loop["callbacks"], "callbacks")
        require(sum(phase["time"] for phase in phases) <= loop["busy"], "times of phases")
        require(loop["lag"]["count"] == loop["iterations"], "lag")
        require(loop["lag"]["median"] <= loop["lag"]["p99"] <= loop["lag"]["worst"], "lag's order")
        require(loop["busy"] + loop["waiting"] <= report["duration"], "more time than there was")
    if main:
        require(report["loops"][0]["iterations"] > 10, "no iterations")
        require(report["loops"][0]["callbacks"] > 50, "no callbacks")
    for callback in report["longest"]:
        require(callback["kind"] != "uv_callback", f"a callback of no kind: {callback}")
        require(not re.match("0x|$", callback["function"]), f"a function nowhere: {callback}")


def check_page(text, report):
    head = json.loads(re.search(r'class="trace-head">(.*?)</script>', text, re.S)[1])
    blocks = re.findall(r'class="trace-rows">(.*?)</script>', text, re.S)
    rows = list(ROW.iter_unpack(b"".join(base64.b64decode(block) for block in blocks)))
    require(all(0 < row[2] <= MOST_KINDS for row in rows), "a row of no kind")
    require(all(row[4] < len(head["tracks"]) and row[5] < len(head["strings"]) for row in rows),
            "a row without a track or name")
    kinds = [row[2] for row in rows]
    turns = sum(loop["iterations"] for loop in report["loops"])
    require(kinds.count(ITERATION) == turns, f"{kinds.count(ITERATION)} of {turns} iterations")
    require(kinds.count(PHASE) >= 7 * turns - 7 * len(report["loops"]), "phases are missing")


def check_perfetto(trace, report):
    events = trace["traceEvents"]
    spans = [event for event in events if event["ph"] == "X"]
    require(all(span["dur"] >= 0 and span["ts"] >= 0 for span in spans), "a span before its start")
    calls = [span for span in spans if span["cat"] == "callback"]
    require(len(calls) >= sum(loop["callbacks"] for loop in report["loops"]), "callbacks")
    for span in calls:
        require(re.match(r"uv_\w+_cb \S", span["name"]), f"a callback of no kind: {span}")
        require(not re.match(r"uv_\w+ 0x", span["name"]), f"a function nowhere: {span}")


def trace(name, root, build):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="phasor-traced-"))
    (folder / "tmp").mkdir()
    try:
        client = Client(name, root, build, folder)
        client.compare()
        report = client.check_recording(folder / "trace", True)
        children = list(folder.glob("trace.[0-9]*"))
        for child in children:
            client.check_recording(child, False)
        print(f"  {name}: pass, {report['events']} events, {len(children)} children", flush=True)
        return True
    except (Wrong, OSError, ValueError, subprocess.TimeoutExpired) as problem:
        print(f"  {name}: fail: {str(problem)[:2000]}", flush=True)
        return False
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    root = pathlib.Path(sys.argv[1]).resolve() / "root"
    build = pathlib.Path(sys.argv[2]).resolve()
    asked = [name for name in sys.argv[3:] if name != "traced"]
    names = [name for name in TRACED if not asked or name in asked]
    os.environ.pop("PHASOR_TRACE", None)
    sys.exit(not all([trace(name, root, build) for name in names]))


main()
