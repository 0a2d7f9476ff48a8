"""Runs the behaviour tests while they are recorded, and looks at each recording.

    recorded_tests.py BUILD [SANITIZER]

In the current folder, which is left empty.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

TIMEOUT = 120  # s
SKIPPED = 77
# These end by exit() in a callback, so that something is open at the end.
EXITS_INSIDE = ("held_writes_are_not_lost_at_exit",
                "pool_outlives_the_threads_that_use_it_while_the_process_exits")
STATUS_AT = 52  # in the header; 1: complete
COMPLETE = 1


def find_tests(build, sanitizer):
    """(name, command) of those that don't want the machine for themselves."""
    listing = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", "-R",
                              "^behaviour[.]"], check=True, capture_output=True)
    tests = []
    for test in json.loads(listing.stdout)["tests"]:
        alone = any(p["name"] == "RUN_SERIAL" and p["value"] for p in test.get("properties", []))
        if not alone and "command" in test and "gibibytes" not in test["name"]:
            tests.append((test["name"], test["command"]))
    # Sanitizers are slow, and see the same code in each test. Their allocator's locks stay locked
    # in a forked child if the writer's thread held them.
    return [test for test in tests[::5] if "fork" not in test[0]] if sanitizer else tests


def run(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=TIMEOUT, check=False, **more)
    return done.returncode, done.stdout.decode(errors="replace").strip()


def mode_of(path):
    """How much of a recording can be expected: a child that was killed or left by _exit has no end,
    and forked children begin in the middle."""
    data = path.read_bytes()
    whole = int.from_bytes(data[STATUS_AT:STATUS_AT + 4], "little") == COMPLETE
    return "left" if whole and not any(name in path.name for name in EXITS_INSIDE) else "cut"


def look_at(path, build):
    """What is wrong with a recording, or None."""
    status, said = run([build / "tests" / "trace" / "events", path, mode_of(path)])
    if status != 0:
        return f"{path.name} is not consistent: {said}"
    status, said = run([build / "bin" / "phasor", "report", path])
    return f"{path.name}: {said}" if status != 0 else None


def try_one(test, build):
    """(problem or None, how many recordings)"""
    name, command = test
    here = pathlib.Path.cwd()
    try:
        status, said = run(command, env={**os.environ, "PHASOR_TRACE": str(here / name)})
    except subprocess.TimeoutExpired:
        return f"{name} does not end", 0
    problem = f"{name} ended with {status}: {said}" if status not in (0, SKIPPED) else None
    recordings = [path for path in [here / name, *here.glob(f"{name}.[0-9]*")]
                  if path.exists() and path.stat().st_size > 0]
    for path in recordings:
        problem = problem or look_at(path, build)
        path.unlink()
    return problem, len(recordings)


def main():
    build = pathlib.Path(sys.argv[1])
    tests = find_tests(build, sys.argv[2] if len(sys.argv) > 2 else "")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as executor:
        results = list(executor.map(lambda test: try_one(test, build), tests))
    problems = [problem for problem, _ in results if problem]
    recordings = sum(count for _, count in results)
    print(f"{len(tests)} tests, {recordings} recordings, {len(problems)} problems")
    print("\n".join(problems))
    sys.exit(bool(problems) or recordings < len(tests) / 2)


main()
