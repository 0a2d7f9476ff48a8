"""Runs libuv's own test programs one by one, on this library and on Debian's, and compares.

    run.py FOLDER [quick] [PATTERN...]

FOLDER holds test/ (the programs' sources), ours/ and debian/ (each with run-tests and its library).
Writes FOLDER/results.tsv. Fails if a test that passes on Debian's library fails on ours and is not
in known.txt. "quick" runs on ours only, without the tests that take long. A test that fails is
tried again, and that is told.
"""

import fcntl
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
TIMEOUT = 60  # s; the runner's own limit per test is below that
USER = 65534  # nobody: the programs refuse to run as root
TRIES = 3  # a test counts as failed if it fails each time: some of them depend on timing


def table(path):
    """Lines "name reason"; # begins a comment."""
    rows = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            name, _, reason = line.partition(" ")
            if name and not name.startswith("#"):
                rows[name] = reason.strip()
    return rows


def missing():
    """Need -> why the machine can't give it, of those in needs.txt."""
    found = {}
    if not os.environ.get("CONFORMANCE_ALONE"):
        found["network"] = "there is no network namespace"
    if os.nice(0) != 0:
        found["priority"] = f"the nice value is {os.nice(0)}"
    return found


def without_what_is_missing(names):
    """The tests whose needs are met; tells of the others."""
    needs = {name: words.split(" ", 1)[0] for name, words in table(HERE / "needs.txt").items()}
    reasons = missing()
    met = []
    for name in names:
        reason = reasons.get(needs.get(name))
        if reason is None:
            met.append(name)
        else:
            print(f"  skipped: {name}: {reason}", flush=True)
    return met


def families(source):
    """Test name -> the family that its file's name begins with."""
    found = {}
    for path in sorted(source.glob("test-*.c")):
        words = path.stem.split("-")[1:]
        family = "-".join(words[:2]) if words[:2] in (["fs", "event"], ["fs", "poll"]) else words[0]
        for name in re.findall(r"^TEST_IMPL\((\w+)\)", path.read_text(errors="replace"), re.M):
            found[name] = family
    return found


class Library:
    """One copy of the test runner, in a work folder that its user owns."""

    def __init__(self, built, fixtures):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="phasor-conformance-"))
        self.bin = self.root / "bin"
        self.work = self.root / "work"
        self.bin.mkdir()
        for path in [built / "run-tests", *built.glob("*.so.*")]:
            shutil.copy(path, self.bin)
        if (built / "loader").exists():
            self.load_with(built / "loader")
        self.fixtures = fixtures
        self.root.chmod(0o755)

    def load_with(self, loader):
        """The runner begins with this dynamic linker. Its path has to be absolute: the runner was
        linked with a place for it, in which slashes fill what is left over."""
        shutil.copy(loader, self.bin)
        runner = self.bin / "run-tests"
        program = runner.read_bytes()
        place = re.search(rb"/(LOADER)+", program)[0]
        path = str(self.bin / "loader").encode()
        runner.write_bytes(program.replace(place, path.rjust(len(place), b"/"), 1))

    def drop(self):
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(USER)
            os.setuid(USER)

    def fresh_folder(self):
        shutil.rmtree(self.work, ignore_errors=True)
        (self.work / "test").mkdir(parents=True)
        shutil.copytree(self.fixtures, self.work / "test" / "fixtures")
        if os.geteuid() == 0:
            for path in [self.work, *self.work.rglob("*")]:
                os.chown(path, USER, USER)

    def start(self, name):
        self.fresh_folder()
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.work), "LANG": "C.UTF-8"}
        log = open(self.root / "output", "w+b")
        process = subprocess.Popen(
            [self.bin / "run-tests", name], cwd=self.work, env=environment, stdout=log,
            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, preexec_fn=self.drop,
            start_new_session=True)
        return process, log

    def run(self, name):
        """(pass, fail or skip; seconds; the output)"""
        begin = time.monotonic()
        process, log = self.start(name)
        try:
            code = process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            code = None
        try:
            os.killpg(process.pid, signal.SIGKILL)  # helpers that a failed test left behind
        except ProcessLookupError:
            pass
        process.wait()
        log.seek(0)
        output = log.read().decode(errors="replace")
        log.close()
        if code == 0 and re.search(r"^ok \d+ - .*# SKIP", output, re.M):
            result = "skip"
        elif code == 7:
            result = "skip"
        else:
            result = "pass" if code == 0 else "fail"
        return result, time.monotonic() - begin, output

    def names(self):
        listed = subprocess.run([self.bin / "run-tests", "--list"], capture_output=True, text=True,
                                cwd=self.bin, preexec_fn=self.drop, check=True)
        lines = [line.split()[0] for line in listed.stdout.splitlines() if line.strip()]
        return [name for name in lines if name != "platform_output"]

    def close(self):
        shutil.rmtree(self.root, ignore_errors=True)


def settle(library, name, expected=None):
    """The result of several tries, and how many it took."""
    for attempt in range(1, TRIES + 1):
        result, seconds, output = library.run(name)
        if result != "fail" or expected == "fail":
            break
    return result, seconds, output, attempt


def run_all(folder, names, libraries, family, known):
    rows = []
    failures = folder / "failures"
    shutil.rmtree(failures, ignore_errors=True)
    failures.mkdir()
    for name in names:
        row = {"test": name, "family": family.get(name, "other")}
        for title, library in libraries.items():
            result, seconds, output, attempt = settle(library, name, row.get("debian"))
            row[title], row[title + "_seconds"] = result, seconds
            row[title + "_tries"] = attempt
            if attempt > 1 and result != "fail":
                row.setdefault("note", f"{title} passed at try {attempt}")
                print(f"  retried: {name}: {title} passed at try {attempt}", flush=True)
            if result == "fail":
                (failures / f"{name}.{title}").write_text(output, encoding="utf-8")
        row.setdefault("note", known.get(name, "") if row["ours"] == "fail" else "")
        rows.append(row)
        if row["ours"] == "fail":
            print(f"  {row['family']}: {name}: " +
                  ", ".join(f"{title} {row[title]}" for title in libraries), flush=True)
    return rows


def write(folder, rows):
    columns = ("test", "family", "ours", "debian", "ours_tries", "debian_tries", "ours_seconds",
               "debian_seconds", "note")
    with open(folder / "results.tsv", "w", encoding="utf-8") as out:
        print(*columns, sep="\t", file=out)
        for row in rows:
            values = [row.get(column, "") for column in columns]
            print(*(f"{v:.2f}" if isinstance(v, float) else v for v in values), sep="\t", file=out)


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    lock = os.open(tempfile.gettempdir(), os.O_RDONLY | os.O_DIRECTORY)
    fcntl.flock(lock, fcntl.LOCK_EX)  # fixed ports and paths: one run at a time on a machine
    quick = "quick" in sys.argv[2:]
    known = table(HERE / "known.txt")
    slow = table(HERE / "slow.txt")
    libraries = {}
    try:
        if not quick:
            libraries["debian"] = Library(folder / "debian", folder / "test" / "fixtures")
        libraries["ours"] = Library(folder / "ours", folder / "test" / "fixtures")
        names = libraries["ours"].names()
        if quick:
            names = [name for name in names if name not in slow and name not in known]
        only = [argument for argument in sys.argv[2:] if argument != "quick"]
        if only:
            names = [name for name in names if any(re.fullmatch(o, name) for o in only)]
        names = without_what_is_missing(names)
        rows = run_all(folder, names, libraries, families(folder / "test"), known)
    finally:
        for library in libraries.values():
            library.close()
    if not quick and not only:
        write(folder, rows)
    for title in libraries:
        counts = {r: sum(row[title] == r for row in rows) for r in ("pass", "fail", "skip")}
        retried = [row["test"] for row in rows if row[title + "_tries"] > 1]
        print(f"{title}: " + ", ".join(f"{count} {r}" for r, count in counts.items()) +
              f", {len(retried)} tried again" + "".join(f" {name}" for name in retried))
    worse = [row["test"] for row in rows if row["ours"] == "fail" and
             row.get("debian", "pass") == "pass" and row["test"] not in known]
    if worse:
        print("Fails here and passes on Debian's library: " + " ".join(worse), file=sys.stderr)
    sys.exit(1 if worse else 0)


main()
