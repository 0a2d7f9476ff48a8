"""mutants.py BUILD [--count 300] [--seed 1] [--only FILE[:LINE]]: breaks the library, one place at
a time, and says which mutants the unit, behaviour and fault tests did not notice.

A mutant is one small change of a line that the tests run: a condition turned round, a comparison
shifted by one, a statement taken out, a number changed, a returned error swapped. One object is
compiled, the libraries and the test programs that run the line are linked, and their tests run
until one fails or takes too long, beginning with the program that runs most of the file. A mutant
that nobody noticed is tried once more under the address and the thread sanitizer, as `make test`
runs these tests too.
Survivors that change nothing that anybody could see are listed in
lib/tests/coverage/equivalent.txt: FILE | text of the line | change | reason.
"""

import argparse
import collections
import concurrent.futures
import filecmp
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


def programs_of(build):
    """{program: {test: command}}"""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", "-L",
                             "^(unit|behaviour|faults)$"], capture_output=True, text=True,
                            check=True)
    programs = collections.defaultdict(dict)
    for test in json.loads(listed.stdout)["tests"]:
        programs[os.path.basename(test["command"][0])][test["name"]] = test["command"]
    return programs


def run_once(command, environment):
    """Its status, or None if it hangs; its whole group of processes ends with it."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               stdin=subprocess.DEVNULL, env=environment, start_new_session=True)
    try:
        return process.wait(TIMEOUT)
    except subprocess.TimeoutExpired:
        return None
    finally:
        try:
            os.killpg(process.pid, 9)
        except ProcessLookupError:
            pass
        process.wait()


def run_test(command, environment=None):
    """True if it passed or was skipped. A failure counts if it comes twice."""
    status = run_once(command, environment)
    if status not in (0, 77, None):
        status = run_once(command, environment)
    return status in (0, 77)


def lines_run(build, tests):
    """(seconds of each test, lines of each file) of one program on the coverage build."""
    counters = tempfile.mkdtemp(prefix="phasor-mutants-")
    os.chmod(counters, 0o777)
    strip = os.path.realpath(build).count("/")
    environment = dict(os.environ, GCOV_PREFIX=counters, GCOV_PREFIX_STRIP=str(strip),
                       GCOV_ERROR_FILE="/dev/null")
    seconds = {}
    for name, command in tests.items():
        begun = time.monotonic()
        run_test(command, environment)
        seconds[name] = round(time.monotonic() - begun, 2)
    files = {file: [number for number, (count, _) in lines.items() if count]
             for file, lines in coverage.measure(build, counters).items()}
    shutil.rmtree(counters, ignore_errors=True)
    return seconds, files


def who_runs_what(build, memory):
    """{"seconds": {test: ...}, "programs": {program: {file: lines}}}, kept until they are
    built anew."""
    built = max(path.stat().st_mtime for path in pathlib.Path(build, "tests").glob("test_*"))
    if not memory.exists() or memory.stat().st_mtime < built:
        programs = programs_of(build)
        print(f"Asking {len(programs)} test programs which lines they run", flush=True)
        known = {"seconds": {}, "programs": {}}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() * 2) as pool:
            answers = pool.map(lambda tests: lines_run(build, tests), programs.values())
            for program, (seconds, files) in zip(programs, answers):
                known["seconds"].update(seconds)
                known["programs"][program] = files
        memory.write_text(json.dumps(known), encoding="utf-8")
    return json.loads(memory.read_text(encoding="utf-8"))


def lines_of(known):
    """{file: {line: programs}}, the program that runs most of the file first."""
    lines = collections.defaultdict(lambda: collections.defaultdict(list))
    for program, files in known["programs"].items():
        for file, numbers in files.items():
            for number in numbers:
                lines[file][number].append((-len(numbers), program))
    return {file: {number: [program for _, program in sorted(found)]
                   for number, found in numbers.items()} for file, numbers in lines.items()}


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
        for number in sorted(lines[file]):
            if only and only not in (file, f"{file}:{number}"):
                continue
            for done, text in changes_of(source[number - 1]):
                found.append((file, number, done, text))
    return found


class Workshop:
    """A copy of the sources with a build of its own, where one line at a time is changed."""

    def __init__(self, build, flags=()):
        self.programs = {}
        self.flags = list(flags)
        self.root = pathlib.Path(build).resolve() / "sources"
        self.build = pathlib.Path(build).resolve() / "build"

    def prepare(self):
        """Only what has changed is copied, so that only that is built."""
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others",
                                 "--exclude-standard"], capture_output=True, text=True, check=True)
        for name in filter(os.path.isfile, listed.stdout.split("\0")):
            copy = self.root / name
            if not copy.exists() or not filecmp.cmp(name, copy, shallow=False):
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(name, copy)
        subprocess.run(["cmake", "-S", str(self.root), "-B", str(self.build), "-G", "Ninja",
                        "-DCMAKE_BUILD_TYPE=Debug", "-DPHASOR_RUNTIME=OFF", "-DPHASOR_SIM=OFF",
                        "-DCMAKE_C_FLAGS=-O0 -g0 -w"] + self.flags,
                       check=True, stdout=subprocess.DEVNULL)
        self.make(["proofs_of_the_library"], check=True)
        self.programs = programs_of(str(self.build))

    def line(self, file, number):
        return (self.root / file).read_text(encoding="utf-8").splitlines()[number - 1].strip()

    def make(self, targets, check=False):
        return subprocess.run(["ninja", "-C", str(self.build)] + targets, check=check,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def try_mutant(self, mutant, programs, slow):
        """Who noticed: a test, the compiler, or None."""
        file, number, _, text = mutant
        path = self.root / file
        original = path.read_text(encoding="utf-8")
        lines = original.split("\n")
        lines[number - 1] = text
        path.write_text("\n".join(lines), encoding="utf-8")
        try:
            return self.who_notices(programs, slow)
        finally:
            path.write_text(original, encoding="utf-8")

    def who_notices(self, programs, slow):
        for program in programs:
            if not self.make([f"tests/{program}"]):
                return "the compiler"
            tests = [(name, command) for name, command in self.programs[program].items()
                     if name not in slow]
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count() * 2) as pool:
                failed = []
                for name, passed in pool.map(
                        lambda test: (test[0], bool(failed) or run_test(test[1])), tests):
                    if not passed:
                        failed.append(name)
                if failed:
                    return failed[0]
        return None


def known_equivalents():
    entries = set()
    for line in EQUIVALENT.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            file, rest = line.split(" | ", 1)
            text, change, reason = rest.rsplit(" | ", 2)
            assert reason
            entries.add((file, text, change))
    return entries


SURVIVOR = re.compile(r"survived[^:]*: (\S+?):\d+: (.+?): (.+)")


def survivors_of(log, mutants):
    """The mutants that an earlier run printed, wherever their lines are now."""
    wanted = {found.groups() for found in map(SURVIVOR.match, pathlib.Path(log).read_text(
        encoding="utf-8").splitlines()) if found}
    sources = {file: pathlib.Path(file).read_text(encoding="utf-8").splitlines()
               for file in {mutant[0] for mutant in mutants}}
    return [mutant for mutant in mutants
            if (mutant[0], mutant[2], sources[mutant[0]][mutant[1] - 1].strip()) in wanted]


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
    parser.add_argument("--again", metavar="LOG", help="only those that survived an earlier run")
    parser.add_argument("--skip", type=int, default=0, help="so many were done before")
    parser.add_argument("--programs", type=int, help="run at most so many for one mutant")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin none after that")
    options = parser.parse_args()
    coverage_build = f"{options.build}/coverage"
    known = who_runs_what(coverage_build, pathlib.Path(coverage_build) / "lines.json")
    slow = {name for name, seconds in known["seconds"].items() if seconds > SLOW}
    lines = lines_of(known)
    mutants = mutants_of(lines, options.only)
    chosen = (survivors_of(options.again, mutants) if options.again
              else pick(mutants, options.count, options.seed))
    shops = [Workshop(f"{options.build}/mutants")] + [
        Workshop(f"{options.build}/mutants/{sanitizer}", [f"-DPHASOR_SANITIZE={sanitizer}"])
        for sanitizer in ("address", "thread")]
    for shop in shops:
        shop.prepare()
    equivalent = known_equivalents()
    begun = time.monotonic()
    os.environ["TMPDIR"] = tempfile.mkdtemp(prefix="phasor-mutants-")
    os.chmod(os.environ["TMPDIR"], 0o777)
    noticed = survived = excused = refused = 0
    print(f"Breaking {len(chosen) - options.skip} places", flush=True)
    for index, mutant in enumerate(chosen[options.skip:], options.skip):
        if time.monotonic() - begun > options.seconds:
            print(f"stopped before mutant {index}: go on with --skip {index}")
            break
        file, number, done, _ = mutant
        programs = lines[file][number][:options.programs]
        source = shops[0].line(file, number)
        who = next(filter(None, (shop.try_mutant(mutant, programs, slow) for shop in shops)), None)
        if who == "the compiler":
            refused += 1
        elif who is not None:
            noticed += 1
        elif (file, source, done) in equivalent:
            excused += 1
        else:
            survived += 1
            print(f"survived ({index + 1} of {len(chosen)}): {file}:{number}: {done}: {source}",
                  flush=True)
    shutil.rmtree(os.environ["TMPDIR"], ignore_errors=True)
    total = noticed + survived + excused
    print(f"{total} mutants, {noticed} noticed, {survived} survived, {excused} equivalent; "
          f"{refused} more did not compile")
    sys.exit(1 if survived * 100 > total * 3 else 0)


if __name__ == "__main__":
    main()
