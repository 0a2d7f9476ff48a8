"""Builds lib/tests/behaviour for libuv, runs every test there too, and says which ones libuv fails.

    run.py BUILD [FILE or TEST...]

The behaviour tests use <uv.h> alone. They are built with our header for the libuv of Debian's
testing suite (below BUILD/peer, with its C library), and with Debian's own header for the installed
libuv. What the documentation of libuv promises must hold on testing's; a test that asks for more is
named in differs.txt, with the reason. Any other test that fails there fails the run. Results:
BUILD/promises/results.tsv.
"""

import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
SOURCES = pathlib.Path("lib/tests/behaviour")
RESULTS = ("pass", "fail", "skip", "new")  # new: its file can't be built for that libuv
TIMEOUT = 30  # s, for one test
TRIES = 2  # a test that fails on libuv is asked once more: some of its answers depend on timing


def reasons():
    rows = {}
    for line in (HERE / "differs.txt").read_text(encoding="utf-8").splitlines():
        name, _, reason = line.partition(" ")
        if name and not name.startswith("#"):
            rows[name] = reason
    return rows


def tests_of(source):
    return re.findall(r"^TEST\(([a-z0-9_]+)\)", source.read_text(encoding="utf-8"), re.M)


def multiarch():
    command = ["gcc", "-print-multiarch"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


class Libuv:
    """One libuv, and the tests that are built for it."""

    def __init__(self, out, library, include, loader=None):
        self.out, self.library, self.include = out.resolve(), library.resolve(), include
        self.loader = loader.resolve() if loader else None
        self.out.mkdir(parents=True, exist_ok=True)

    def build(self, source):
        """True if the test can be built: an older header lacks newer functions."""
        program = self.out / source.stem
        folder = self.library.parent
        command = ["gcc", "-w", "-O1", "-D_GNU_SOURCE", "-DON_LIBUV",
                   f"-I{self.include}", "-Ilib/tests", source, "lib/tests/harness.c", self.library,
                   "-o", program, f"-Wl,--disable-new-dtags,-rpath,{folder}", "-lm", "-lutil"]
        if self.loader:
            command.append(f"-Wl,--allow-shlib-undefined,--dynamic-linker,{self.loader}")
        inputs = [source, pathlib.Path("lib/tests/harness.c"), *SOURCES.rglob("*.h")]
        if program.exists() and all(program.stat().st_mtime > i.stat().st_mtime for i in inputs):
            return True
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def run_once(self, source, test):
        process = subprocess.Popen([self.out / source.stem, test], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   errors="replace", start_new_session=True)
        try:
            said = process.communicate(timeout=TIMEOUT)[0]
            code = process.returncode
        except subprocess.TimeoutExpired:
            said, code = "did not end", None
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        last = (said.strip().splitlines() or [f"ended with {code}"])[-1]
        return {0: "pass", 77: "skip"}.get(code, "fail"), last

    def run(self, source, test):
        for _ in range(TRIES):
            result, said = self.run_once(source, test)
            if result != "fail":
                break
        return result, said


def measure(libraries, sources, wanted, workers):
    rows = []

    def one(title, library, source, test):
        result, said = library.run(source, test)
        return {"library": title, "file": source.stem, "test": test, "result": result, "said": said}

    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        jobs = []
        for title, library in libraries.items():
            for source, built in zip(sources, pool.map(library.build, sources)):
                names = [t for t in tests_of(source) if not wanted or t in wanted or
                         source.stem in wanted]
                if built:
                    jobs += [pool.submit(one, title, library, source, test) for test in names]
                else:
                    rows += [{"library": title, "file": source.stem, "test": test,
                              "result": "new", "said": "needs a newer header"} for test in names]
        rows += [job.result() for job in jobs]
    return rows


def main():
    build = pathlib.Path(sys.argv[1])
    wanted = set(sys.argv[2:])
    out = build / "promises"
    peer = build / "peer" / "root" / "usr" / "lib" / multiarch()
    libraries = {
        "testing": Libuv(out / "testing", peer / "libuv.so.1", "lib/include",
                         next(peer.glob("ld-linux*.so.*"))),
        "installed": Libuv(out / "installed", pathlib.Path("/usr/lib") / multiarch() / "libuv.so.1",
                           "/usr/include"),
    }
    sources = sorted(s for s in SOURCES.rglob("*.c") if not wanted or s.stem in wanted or
                     wanted & set(tests_of(s)))
    rows = measure(libraries, sources, wanted, os.cpu_count())
    differs = reasons()
    with open(out / "results.tsv", "w", encoding="utf-8") as file:
        print("library", "file", "test", "result", "said", "reason", sep="\t", file=file)
        for row in rows:
            print(*row.values(), differs.get(row["test"], ""), sep="\t", file=file)
    for title in libraries:
        own = [row["result"] for row in rows if row["library"] == title]
        print(f"{title}: " + ", ".join(f"{own.count(r)} {r}" for r in RESULTS))
    testing = [row for row in rows if row["library"] == "testing"]
    unexplained = [row for row in testing if row["result"] == "fail" and
                   row["test"] not in differs]
    for row in unexplained:
        print(f"  {row['file']}.{row['test']}: {row['said']}")
    passing = {row["test"] for row in testing if row["result"] == "pass"}
    for test in sorted(set(differs) & passing):
        print(f"  passes on libuv, though differs.txt names it: {test}")
    sys.exit(1 if unexplained else 0)


main()
