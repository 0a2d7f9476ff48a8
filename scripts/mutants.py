"""mutants.py BUILD [--count 300] [--seed 1] [--only FILE[:LINE]]: breaks the library, one place at
a time, and says which mutants the unit, behaviour and fault tests did not notice.

A mutant is one small change of a line that the tests run: a condition turned round, a comparison
shifted by one, a statement taken out, a number changed, a returned error swapped. All of them are
built into one library, which the environment tells which one to be (mutant_sources.py). The tests
that run the line run until one fails or takes too long. A mutant that nobody noticed is tried once
more under the address and the thread sanitizer, as `make test` runs these tests too.
Survivors that change nothing that anybody could see are listed in
lib/tests/coverage/equivalent.txt: FILE | text of the line | change (or "any") | reason; the text
"in NAME()" stands for all lines of a function.
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
import mutant_sources as sources  # noqa: E402

EQUIVALENT = pathlib.Path("lib/tests/coverage/equivalent.txt")
TIMEOUT = 30  # seconds for one test of which nothing is known
HANGS = 20  # times as long as without a mutant, and 5 seconds more
SLOW = 8  # tests that take longer are left out: they are about amounts
WORKERS = int(os.environ.get("WORKERS", os.cpu_count() * 2))  # many tests wait more than they work


def programs_of(build):
    """{program: {test: command}}"""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", "-L",
                             "^(unit|behaviour|faults)$"], capture_output=True, text=True,
                            check=True)
    programs = collections.defaultdict(dict)
    for test in json.loads(listed.stdout)["tests"]:
        programs[os.path.basename(test["command"][0])][test["name"]] = test["command"]
    return programs


def run_once(command, environment, timeout):
    """Its status, or None if it hangs; its whole group of processes ends with it."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               stdin=subprocess.DEVNULL, env=environment, start_new_session=True)
    try:
        return process.wait(timeout)
    except subprocess.TimeoutExpired:
        return None
    finally:
        try:
            os.killpg(process.pid, 9)
        except ProcessLookupError:
            pass
        process.wait()


def run_test(command, environment=None, timeout=TIMEOUT):
    """True if it passed or was skipped. A failure counts if it comes twice."""
    status = run_once(command, environment, timeout)
    if status not in (0, 77, None):
        status = run_once(command, environment, timeout)
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
                       r"|\(void\)|[\w ]+[ *]+\w+(\[[^]]*\])?( =.*)?;)[\w*(].*;$")
RETURN = re.compile(r"^(\s*return )(0|1|-1|true|false|UV_E\w+|err)(;)$")
# Not how many blocks there are: a larger one is only more memory.
NUMBER = re.compile(r"(?<![\w.\"'])(?<!calloc\()(?<!calloc\(loop, )(\d+)(?![\w.\"'])")
DECLARED = re.compile(r"^\s*[\w ]+[ *]+\w+\[\d+\];$")  # a longer array is only more memory
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
    for match in () if DECLARED.match(line) else NUMBER.finditer(line):
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
    """A copy of the sources with every mutant inside and a build of its own
    (mutant_sources.py)."""

    def __init__(self, folder, flags=(), most=None):
        self.most = most  # tests for one mutant
        self.root = pathlib.Path(folder).resolve() / "sources"
        self.build = pathlib.Path(folder).resolve() / "build"
        self.flags = list(flags)
        self.commands = {}  # of each test
        self.marks = {}  # of each mutant, by its number
        self.tests = {}  # {mark: tests that set it}
        self.breadth = {}  # of each test, how much it runs
        self.timeouts = {}
        self.successes = collections.Counter()  # of (file, test)

    def prepare(self, mutants):
        """Writes and builds what has changed. Returns the mutants that the compiler takes."""
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others",
                                 "--exclude-standard"], capture_output=True, text=True, check=True)
        names = sorted(filter(os.path.isfile, listed.stdout.split("\0")))
        for gone in [path for path in self.root.rglob("*") if path.is_file() and
                     not os.path.isfile(path.relative_to(self.root))]:
            gone.unlink()
        taken = dict(enumerate(mutants, 1))
        first_mark = 1
        for name in names:
            source = pathlib.Path(name).read_bytes()
            if re.match(r"lib/(?!tests)\w+/\w+\.c$", name):
                text, refused = self.with_mutants(name, source.decode(), taken, first_mark)
                for number in refused:
                    del taken[number]
                first_mark += text.count("\n") + 1
                source = text.encode()
            write_if_new(self.root / name, source)
        version = self.root / "lib/base/version.c"
        write_if_new(version, version.read_bytes() + sources.choice(first_mark).encode())
        subprocess.run(["cmake", "-S", str(self.root), "-B", str(self.build), "-G", "Ninja",
                        "-DCMAKE_BUILD_TYPE=Debug", "-DPHASOR_RUNTIME=OFF", "-DPHASOR_SIM=OFF",
                        "-DCMAKE_LINK_DEPENDS_NO_SHARED=ON",
                        "-DCMAKE_C_FLAGS=-O0 -g0 -w"] + self.flags,
                       check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["ninja", "-C", str(self.build), "proofs_of_the_library"], check=True,
                       stdout=subprocess.DEVNULL)
        self.commands = tests_of(str(self.build))
        self.ask_who_runs_what(first_mark)
        return taken

    def with_mutants(self, name, source, mutants, first_mark):
        """(text, numbers of the mutants that are in no function or that the compiler refuses)"""
        wanted = [(number, line, text) for number, (file, line, _, text) in mutants.items()
                  if file == name]
        for _ in range(3):
            text, marks = sources.with_mutants(name, source, wanted, first_mark)
            answer = subprocess.run(
                ["gcc", "-std=gnu11", "-D_GNU_SOURCE", "-fsyntax-only", "-fmax-errors=0",
                 "-Werror=implicit-function-declaration",
                 "-Ilib/include", "-Ilib", "-x", "c", "-"], input=text, capture_output=True,
                text=True, check=False)
            refused = {int(number) for number in
                       re.findall(r"^mutant-(\d+):.* error: ", answer.stderr, re.MULTILINE)}
            if not refused:
                break
            wanted = [mutant for mutant in wanted if mutant[0] not in refused]
        self.marks.update(marks)
        return text, [number for number, (file, _, _, _) in mutants.items()
                      if file == name and number not in marks]

    def ask_who_runs_what(self, size):
        """Runs each test once; those that fail or are slow without a mutant are left out."""
        def ask(name):
            with tempfile.NamedTemporaryFile() as file:
                file.truncate(size)
                os.chmod(file.name, 0o666)
                begun = time.monotonic()
                passed = run_test(self.commands[name], dict(os.environ, PHASOR_MARKS=file.name))
                took = time.monotonic() - begun
                marks = pathlib.Path(file.name).read_bytes()
            return passed and took < SLOW, took, [at for at, mark in enumerate(marks) if mark]

        self.tests = collections.defaultdict(list)
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            for name, (usable, took, marks) in zip(self.commands, pool.map(ask, self.commands)):
                if not usable:
                    print(f"left out: {name} is slow or fails without a mutant", flush=True)
                    continue
                self.breadth[name] = len(marks)
                self.timeouts[name] = 5 + HANGS * took
                for mark in marks:
                    self.tests[mark].append(name)

    def who_notices(self, file, number):
        """The first test that fails with the mutant, or None: those that noticed others in the
        file come first, then those that run least."""
        environment = dict(os.environ, PHASOR_MUTANT=str(number))
        for name in sorted(self.tests[self.marks[number]], key=lambda test:
                           (-self.successes[file, test], self.breadth[test]))[:self.most]:
            if not run_test(self.commands[name], environment, self.timeouts[name]):
                self.successes[file, name] += 1
                return name
        return None


def write_if_new(path, content):
    """What is the same keeps its time, so that only what has changed is built."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def tests_of(build):
    return {name: command for tests in programs_of(build).values()
            for name, command in tests.items()}


def known_equivalents():
    entries = set()
    for line in EQUIVALENT.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            file, rest = line.split(" | ", 1)
            text, change, reason = rest.rsplit(" | ", 2)
            assert reason
            entries.add((file, text, change))
    return entries


SURVIVOR = re.compile(r"(?:survived|not noticed)[^:]*: (\S+?):\d+: (.+?): (.+)")


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


def try_all(shop, mutants):
    """Those that nobody notices, told as they are found."""
    left, tried = [], []

    def one(number):
        who = shop.who_notices(mutants[number][0], number)
        tried.append(number)
        if who is None:
            left.append(number)
            print(f"not noticed ({len(left)} of {len(tried)}): {describe(mutants[number])}",
                  flush=True)

    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(one, mutants))
    return [mutants[number] for number in sorted(left)]


def key(mutant):
    """As equivalent.txt names it, wherever its line is now."""
    file, line, done, _ = mutant
    source = pathlib.Path(file).read_text(encoding="utf-8").splitlines()[line - 1].strip()
    return file, source, done


def is_among(equivalent, mutant):
    file, source, done = key(mutant)
    lines = pathlib.Path(file).read_text(encoding="utf-8").split("\n")
    around = [function.name for function in sources.functions_of(lines)
              if function.usable and function.first < mutant[1] <= function.last]
    return not equivalent.isdisjoint({(file, source, done), (file, source, "any")} |
                                     {(file, f"in {name}()", "any") for name in around})


def describe(mutant):
    file, source, done = key(mutant)
    return f"{file}:{mutant[1]}: {done}: {source}"


def judge(options, chosen):
    """Status of the program: 1 if too many survive."""
    left, total = chosen, None
    for sanitizer in (None, "address", "thread")[:1 if options.plain else 3]:
        shop = Workshop(f"{options.build}/mutants/{sanitizer or 'plain'}",
                        [f"-DPHASOR_SANITIZE={sanitizer}"] if sanitizer else [],
                        options.most)
        print(f"Building {len(left)} mutants, sanitizer: {sanitizer}", flush=True)
        taken = shop.prepare(left)
        total = len(taken) if total is None else total
        print(f"Trying {len(taken)}", flush=True)
        left = try_all(shop, taken)
    equivalent = known_equivalents()
    survived = [mutant for mutant in left if not is_among(equivalent, mutant)]
    for mutant in survived:
        print(f"survived: {describe(mutant)}")
    print(f"{total} mutants, {total - len(left)} noticed, {len(survived)} survived, "
          f"{len(left) - len(survived)} equivalent; {len(chosen) - total} more did not compile")
    return 1 if len(survived) * 100 > total * 3 else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--again", metavar="LOG", help="only those that survived an earlier run")
    parser.add_argument("--plain", action="store_true", help="no second look by the sanitizers")
    parser.add_argument("--most", type=int, help="run at most so many tests for one mutant")
    options = parser.parse_args()
    coverage_build = f"{options.build}/coverage"
    known = who_runs_what(coverage_build, pathlib.Path(coverage_build) / "lines.json")
    mutants = mutants_of(lines_of(known), options.only)
    chosen = (survivors_of(options.again, mutants) if options.again
              else pick(mutants, options.count, options.seed))
    os.environ["TMPDIR"] = tempfile.mkdtemp(prefix="phasor-mutants-")
    os.chmod(os.environ["TMPDIR"], 0o777)
    try:
        sys.exit(judge(options, chosen))
    finally:
        shutil.rmtree(os.environ["TMPDIR"], ignore_errors=True)


if __name__ == "__main__":
    main()
