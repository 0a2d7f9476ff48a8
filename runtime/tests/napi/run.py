"""Runs Node's own tests of Node-API with Node and with our runtime.

    run.py FOLDER PHASOR [TEST...]

FOLDER holds test/ with its addons built (addons.py). What Node passes is kept in FOLDER/napi.json;
only those tests count. A test that fails and is not in failing.txt, or passes and is there, fails
the run.
"""

import json
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "node"))

import run as node_tests  # noqa: E402  pylint: disable=wrong-import-position

FOLDERS = ("js-native-api", "node-api")


def discover(tests):
    return [str(path.relative_to(tests)) for folder in FOLDERS
            for path in sorted((tests / folder).glob("*/test*.js"))]


def run_all(program, tests, names):
    results = {}
    runner = node_tests.Runner(program, tests)
    try:
        node_tests.run_all(runner, names, node_tests.once, results.__setitem__)
    finally:
        runner.close()
    return results


def ask_node(folder, names):
    kept = folder / "napi.json"
    known = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    unknown = [name for name in names if name not in known]
    if unknown:
        outcomes = run_all(shutil.which("node"), folder / "test", unknown)
        known.update({name: outcome[0] for name, outcome in outcomes.items()})
        kept.write_text(json.dumps(known, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    return known


def read_failing():
    lines = (HERE / "failing.txt").read_text(encoding="utf-8").splitlines()
    return {line.split()[0] for line in lines if line.strip() and not line.startswith("#")}


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    only = sys.argv[3:]
    names = [name for name in discover(folder / "test")
             if not only or any(word in name for word in only)]
    known = ask_node(folder, names)
    names = [name for name in names if known[name] == "pass"]
    results = run_all(sys.argv[2], folder / "test", names)
    failing = read_failing()
    wrong = 0
    for name in names:
        result, _, output = results[name]
        if (result == "pass") == (name in failing):
            wrong += 1
            print(f"{name}: {result}: {node_tests.first_error(output)}")
    passed = sum(results[name][0] == "pass" for name in names)
    print(f"{passed} of {len(names)} tests of Node-API that Node passes pass here")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
