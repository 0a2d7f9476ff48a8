"""Runs Node's own tests with Node 20 and with our runtime.

    run.py FOLDER PHASOR [quick] [present] [FAMILY or TEST...]

FOLDER holds test/. What Node passes is kept in FOLDER/node.json; only those tests count. Results
go to FOLDER/results.json, merged with those of earlier runs. A test of passing.txt that fails now
fails the run. "present" runs all but the families that the runtime does not have, "quick" every
STRIDEth of passing.txt that takes no time.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import tables

HERE = pathlib.Path(__file__).parent
FOLDERS = ("parallel", "sequential", "es-module", "async-hooks")
LIMIT = float(os.environ.get("NODE_TESTS_LIMIT", "40"))  # s
TRIES = 3  # a test of passing.txt counts as failed if it fails each time
QUICK_STRIDE = 8
QUICK_SECONDS = 1.0  # of Node: tests that take longer are not quick
# What asks for Node's inside gets its names from a file of ours, in children and workers too.
PRELOAD = HERE.resolve() / "preload.js"
INSIDE = re.compile(r"expose[-_]internals")
OUTPUT = 200_000  # bytes of a test's output that are looked at


def flags_of(text):
    found = []
    for line in re.findall(r"^// Flags: (.*)$", text[:4000], re.M):
        found += line.split()
    return found


class Runner:
    """A program, and one folder per thread in which its tests run."""

    def __init__(self, program, tests):
        self.tests = tests
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="node-tests-"))
        # Copies: a build that runs meanwhile does not change what is measured.
        self.libraries = {}
        libraries = pathlib.Path(program).parent.parent / "lib"
        (self.root / "bin").mkdir()
        if pathlib.Path(program).name == "phasor" and (libraries / "libuv.so.1").exists():
            (self.root / "lib" / "phasor").mkdir(parents=True)
            shutil.copy(libraries / "libuv.so.1", self.root / "lib")
            for plugin in (libraries / "phasor").glob("*.so"):
                shutil.copy(plugin, self.root / "lib" / "phasor")
            self.libraries = {"LD_LIBRARY_PATH": str(self.root / "lib")}
        self.program = shutil.copy(program, self.root / "bin")
        self.slots = {}
        self.lock = threading.Lock()

    def slot(self):
        with self.lock:
            return self.slots.setdefault(threading.get_ident(), len(self.slots))

    def environment(self, slot, folder, text):
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "ASAN_OPTIONS", "UBSAN_OPTIONS")
                if name in os.environ}
        preload = {}
        if self.libraries and INSIDE.search(text):
            preload["NODE_OPTIONS"] = f"--require={PRELOAD}"
        return {"HOME": str(folder), "TEST_THREAD_ID": str(slot), "NODE_TEST_DIR": str(folder),
                "TMPDIR": str(folder), **self.libraries, **kept, **preload}

    def run(self, name):
        """(pass, skip, fail, hang or crash; seconds; the output)"""
        slot = self.slot()
        folder = self.root / str(slot)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        path = self.tests / name
        text = path.read_text(encoding="utf-8", errors="replace")
        began = time.monotonic()
        # An empty file, not a device: as root, tests change the mode and the times of descriptor 0.
        with open(self.root / f"{slot}.output", "w+b") as log, \
                open(self.root / f"{slot}.input", "w+b") as empty:
            process = subprocess.Popen(
                [self.program, *flags_of(text), str(path)], cwd=self.tests.parent, stdout=log,
                stderr=subprocess.STDOUT, stdin=empty, start_new_session=True,
                env=self.environment(slot, folder, text))
            try:
                code = process.wait(LIMIT)
            except subprocess.TimeoutExpired:
                code = None
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
            log.seek(0)
            output = log.read(OUTPUT).decode(errors="replace")
        return verdict(code, output), time.monotonic() - began, output

    def close(self):
        shutil.rmtree(self.root, ignore_errors=True)


def verdict(code, output):
    if code is None:
        return "hang"
    if code < 0 or "ERROR: AddressSanitizer" in output or "runtime error:" in output:
        return "crash"
    if code != 0:
        return "fail"
    return "skip" if re.search(r"^1\.\.0 # Skipped", output, re.M) else "pass"


def first_error(output):
    """The line that says most about why a test failed."""
    lines = [line.strip() for line in output.splitlines()]
    for pattern in (r"(\w*Error|\w*Exception|Uncaught)\b.*:", r"Skipped:", r"Mismatched",
                    r"bad option", r"Error\b"):
        for line in lines:
            if re.search(pattern, line) and not line.startswith("at "):
                return line[:300]
    return next((line[:300] for line in lines if line), "")


def discover(tests):
    names = []
    for folder in FOLDERS:
        names += [f"{folder}/{path.name}" for path in sorted((tests / folder).glob("test-*.*js"))]
    return names


def load(path):
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def save(path, value):
    path.write_text(json.dumps(value, indent=0, sort_keys=True) + "\n", encoding="utf-8")


def run_all(runner, names, one, keep):
    """Those that share nothing side by side, then the others one by one."""
    def work(name):
        keep(name, one(runner, name))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(work, [name for name in names if not name.startswith("sequential/")]))
    for name in names:
        if name.startswith("sequential/"):
            work(name)


def once(runner, name):
    result, seconds, output = runner.run(name)
    if result in ("fail", "hang"):
        result, seconds, output = runner.run(name)
    return result, seconds, output


def learn_node(folder, names):
    """What Node passes of the named tests; asked once for each."""
    known = load(folder / "node.json")
    lock = threading.Lock()

    def keep(name, outcome):
        with lock:
            known[name] = [outcome[0], round(outcome[1], 2)]
            if len(known) % 50 == 0:
                save(folder / "node.json", known)
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"Asking Node about {len(unknown)} tests", flush=True)
        runner = Runner(shutil.which("node"), folder / "test")
        try:
            run_all(runner, unknown, once, keep)
        finally:
            runner.close()
            save(folder / "node.json", known)
    return known


def run_ours(folder, phasor, names, passing):
    failures = folder / "failures"
    failures.mkdir(exist_ok=True)
    results = {}
    lock = threading.Lock()

    def one(runner, name):
        for _ in range(TRIES if name in passing else 1):
            outcome = runner.run(name)
            if outcome[0] == "pass":
                break
        return outcome

    def keep(name, outcome):
        result, seconds, output = outcome
        log = failures / (name.replace("/", ".") + ".log")
        if result == "pass":
            log.unlink(missing_ok=True)
        else:
            log.write_text(output, encoding="utf-8", errors="replace")
        with lock:
            error = "" if result == "pass" else first_error(output)
            results[name] = [result, round(seconds, 2), error]
    runner = Runner(phasor, folder / "test")
    try:
        run_all(runner, names, one, keep)
    finally:
        runner.close()
    return results


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    phasor = sys.argv[2]
    only = sys.argv[3:]
    quick = "quick" in only
    only = [word for word in only if word != "quick"]
    tests = folder / "test"
    names = discover(tests)
    passing = tables.names(HERE / "passing.txt")
    families = tables.Families(HERE / "families.txt", tests)
    if quick:
        names = [name for name in names if name in passing][::QUICK_STRIDE]
    if "present" in only:
        names = [name for name in names if families.marks.get(families.of(name)) != "!"]
    elif only:
        names = [name for name in names if families.of(name) in only or
                 any(word in name for word in only if word.startswith("test-"))]
    node = learn_node(folder, names)
    names = [name for name in names if node[name][0] == "pass" and
             not (quick and node[name][1] > QUICK_SECONDS)]
    results = run_ours(folder, phasor, names, passing)
    merged = {**load(folder / "results.json"), **results}
    if not quick:
        save(folder / "results.json", {name: row for name, row in merged.items()
                                       if node.get(name, [""])[0] == "pass"})
    passed = [name for name in results if results[name][0] == "pass"]
    print(f"{len(passed)} of {len(results)} tests that Node passes pass here")
    for end in ("crash", "hang"):
        ended = sorted(name for name in results if results[name][0] == end)
        print(f"{end}: {', '.join(ended) or 'none'}")
    worse = sorted(name for name in results if name in passing and results[name][0] != "pass")
    for name in worse:
        print(f"Passed before: {name}: {results[name][0]} {results[name][2]}", file=sys.stderr)
    sys.exit(1 if worse else 0)


if __name__ == "__main__":
    main()
