"""mutants.py BUILD [--count 300] [--seed 1] [--only FILE[:LINE]]: breaks the library, one place at
a time, and says which mutants the unit, behaviour and fault tests did not notice.

A mutant is one small change of a line that the tests run: a condition turned round, a comparison
shifted by one, a statement taken out, a number changed, a returned error swapped. One object is
compiled, the libraries and the test programs that run the line are linked, and their tests run,
those that cost least first, until one fails or takes too long. Survivors that change
nothing that anybody could see are listed in lib/tests/coverage/equivalent.txt:
FILE | text of the line | change | reason.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import coverage  # noqa: E402

EQUIVALENT = pathlib.Path("lib/tests/coverage/equivalent.txt")
TIMEOUT = 30  # seconds for one test, several times what the slowest takes
SLOW = 8  # tests that take longer are left out: they are about amounts


def tests_of(build):
    """{name: command}"""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", "-L",
                             "^(unit|behaviour|faults)$"], capture_output=True, text=True,
                            check=True)
    return {test["name"]: test["command"] for test in json.loads(listed.stdout)["tests"]}


def run_test(command, environment=None, timeout=TIMEOUT):
    """True if it passed or was skipped; its whole group of processes ends with it."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               stdin=subprocess.DEVNULL, env=environment, start_new_session=True)
    try:
        return process.wait(timeout) in (0, 77)
    except subprocess.TimeoutExpired:
        return False
    finally:
        try:
            os.killpg(process.pid, 9)
        except ProcessLookupError:
            pass
        process.wait()


def lines_run(build, name, command):
    """(seconds, {file: lines}) of one test on the coverage build."""
    counters = tempfile.mkdtemp(prefix="phasor-mutants-")
    os.chmod(counters, 0o777)
    strip = os.path.realpath(build).count("/")
    environment = dict(os.environ, GCOV_PREFIX=counters, GCOV_PREFIX_STRIP=str(strip),
                       GCOV_ERROR_FILE="/dev/null")
    begun = time.monotonic()
    passed = run_test(command, environment)
    taken = time.monotonic() - begun
    files = {}
    if passed:
        try:
            for file, lines in coverage.measure(build, counters).items():
                files[file] = [number for number, (count, _) in lines.items() if count]
        except subprocess.CalledProcessError:
            files = {}
    shutil.rmtree(counters, ignore_errors=True)
    return name, taken, files


def who_runs_what(build, memory):
    """{file: {line: [(seconds, test)]}}, kept in a file until the library is built anew."""
    library = pathlib.Path(build) / "lib/libuv.so.1.0.0"
    if memory.exists() and memory.stat().st_mtime > library.stat().st_mtime:
        return json.loads(memory.read_text(encoding="utf-8"))
    tests = tests_of(build)
    print(f"Asking {len(tests)} tests which lines they run")
    lines = collections.defaultdict(lambda: collections.defaultdict(list))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() * 2) as pool:
        for name, taken, files in pool.map(lambda item: lines_run(build, *item), tests.items()):
            for file, numbers in files.items():
                for number in numbers:
                    lines[file][str(number)].append((round(taken, 2), name))
    memory.write_text(json.dumps(lines), encoding="utf-8")
    return json.loads(memory.read_text(encoding="utf-8"))


SWAPS = [("<=", "<"), (">=", ">"), ("<", "<="), (">", ">="), ("==", "!="), ("!=", "=="),
         ("&&", "||"), ("||", "&&"), ("++", "--"), (" + ", " - "), (" - ", " + ")]
OPERATOR = re.compile(r"<<=|>>=|<<|>>|->|<=|>=|==|!=|&&|\|\||\+\+| [-+] |<|>")
CONDITION = re.compile(r"^(\s*(?:\} else )?(?:if|while) \()(.+)(\)(?: \{)?)$")
STATEMENT = re.compile(r"^\s*(?!return\b|break\b|continue\b|goto\b|else\b|do\b|case\b|default\b"
                       r"|[\w ]+[ *]\w+(\[[^]]*\])?( =.*)?;)[\w*(].*;$")
RETURN = re.compile(r"^(\s*return )(0|1|-1|true|false|NULL|UV_E\w+|err)(;)$")
NUMBER = re.compile(r"(?<![\w.\"'])(\d+)(?![\w.\"'])")
RETURNED = {"0": "UV_EIO", "1": "0", "-1": "0", "true": "false", "false": "true", "err": "0"}


def whole(text):
    """A statement or condition that begins and ends on its line."""
    return text.count("(") == text.count(")") and text.count("{") == text.count("}")


def changes_of(line):
    """Every mutant of a line: (what was done, the new line)."""
    found = []
    if line.lstrip().startswith(("#", "/*", "*", "//", "case ")) or '"' in line:
        return found
    condition = CONDITION.match(line)
    if condition and whole(condition[2]):
        found.append(("turned round", f"{condition[1]}!({condition[2]}){condition[3]}"))
    if STATEMENT.match(line) and whole(line):
        found.append(("taken out", re.match(r"\s*", line)[0] + ";"))
    returned = RETURN.match(line)
    if returned:
        other = RETURNED.get(returned[2], "0")
        found.append((f"returns {other}", returned[1] + other + returned[3]))
    for match in OPERATOR.finditer(line):
        for old, new in SWAPS:
            if match[0] == old:
                found.append((f"{old.strip()} became {new.strip()}",
                              line[:match.start()] + new + line[match.end():]))
    for match in NUMBER.finditer(line):
        other = str(int(match[1]) + 1)
        found.append((f"{match[1]} became {other}",
                      line[:match.start()] + other + line[match.end():]))
    return [(done, text) for done, text in found if text != line]


def mutants_of(lines, only):
    """[(file, line number, what was done, new text)]"""
    found = []
    for file in sorted(lines):
        if not file.endswith(".c"):
            continue
        source = pathlib.Path(file).read_text(encoding="utf-8").splitlines()
        for number in sorted(map(int, lines[file])):
            if only and only not in (file, f"{file}:{number}"):
                continue
            for done, text in changes_of(source[number - 1]):
                found.append((file, number, done, text))
    return found


class Workshop:
    """A copy of the sources with a build of its own, where one line at a time is changed."""

    def __init__(self, build):
        self.root = pathlib.Path(build).resolve() / "sources"
        self.build = pathlib.Path(build).resolve() / "build"

    def prepare(self):
        self.root.mkdir(parents=True, exist_ok=True)
        for folder in ("lib", "trace", "sim", "phasor", "go", "tests", "scripts", "examples",
                       "runtime", "docs", "bench"):
            if pathlib.Path(folder).exists():
                subprocess.run(["cp", "-a", "--update", folder, str(self.root)], check=True)
        for file in pathlib.Path(".").glob("*.*"):
            if file.is_file():
                shutil.copy2(file, self.root)
        subprocess.run(["cmake", "-S", str(self.root), "-B", str(self.build), "-G", "Ninja",
                        "-DCMAKE_BUILD_TYPE=Debug", "-DPHASOR_RUNTIME=OFF", "-DPHASOR_SIM=OFF",
                        "-DCMAKE_C_FLAGS=-O0 -g0 -w"], check=True, stdout=subprocess.DEVNULL)
        self.make(["proofs_of_the_library"], check=True)

    def make(self, targets, check=False):
        return subprocess.run(["ninja", "-C", str(self.build)] + targets, check=check,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def try_mutant(self, mutant, tests):
        """Who noticed: a test, the compiler, or None."""
        file, number, _, text = mutant
        path = self.root / file
        original = path.read_text(encoding="utf-8")
        lines = original.split("\n")
        lines[number - 1] = text
        path.write_text("\n".join(lines), encoding="utf-8")
        try:
            return self.who_notices(tests)
        finally:
            path.write_text(original, encoding="utf-8")

    def who_notices(self, tests):
        commands = tests_of(str(self.build))
        first = [name for _, name in tests[:12]]
        programs = {}
        for _, name in tests:
            programs[name] = os.path.basename(commands[name][0])
        if not self.make(sorted({"tests/" + programs[name] for name in first})):
            return "the compiler"
        for name in first:
            if not run_test(commands[name]):
                return name
        rest = [name for _, name in tests[12:]]
        self.make(sorted({"tests/" + programs[name] for name in rest}))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() * 2) as pool:
            noticed = None
            futures = {}
            for name in rest:
                futures[pool.submit(lambda n: noticed or run_test(commands[n]), name)] = name
            for future in concurrent.futures.as_completed(futures):
                if noticed is None and future.result() is False:
                    noticed = futures[future]
            return noticed


def known_equivalents():
    entries = set()
    for line in EQUIVALENT.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            file, text, change, reason = [part.strip() for part in line.split(" | ")]
            assert reason
            entries.add((file, text, change))
    return entries


def pick(mutants, count, seed):
    shuffled = sorted(mutants)
    random.Random(seed).shuffle(shuffled)
    return shuffled[:count]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--skip", type=int, default=0, help="so many were done before")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin none after that")
    options = parser.parse_args()
    coverage_build = f"{options.build}/coverage"
    lines = who_runs_what(coverage_build, pathlib.Path(coverage_build) / "lines.json")
    chosen = pick(mutants_of(lines, options.only), options.count, options.seed)
    shop = Workshop(f"{options.build}/mutants")
    shop.prepare()
    equivalent = known_equivalents()
    begun = time.monotonic()
    noticed = survived = excused = refused = 0
    for index, mutant in enumerate(chosen[options.skip:], options.skip):
        if time.monotonic() - begun > options.seconds:
            print(f"stopped before mutant {index}: go on with --skip {index}")
            break
        file, number, done, text = mutant
        tests = sorted(test for test in lines[file][str(number)] if test[0] <= SLOW)
        source = pathlib.Path(file).read_text(encoding="utf-8").splitlines()[number - 1].strip()
        who = shop.try_mutant(mutant, tests)
        if who == "the compiler":
            refused += 1
        elif who is not None:
            noticed += 1
        elif (file, source, done) in equivalent:
            excused += 1
        else:
            survived += 1
            print(f"survived: {file}:{number}: {done}: {source}  ({len(tests)} tests)", flush=True)
    total = noticed + survived + excused
    print(f"{total} mutants, {noticed} noticed, {survived} survived, {excused} equivalent; "
          f"{refused} more did not compile")
    sys.exit(1 if survived * 100 > total * 3 else 0)


if __name__ == "__main__":
    main()
