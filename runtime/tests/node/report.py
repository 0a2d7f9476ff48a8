"""Writes docs/NODE_TESTS.md from the results of the last runs.

    report.py FOLDER DOCUMENT [--passing]

--passing also writes passing.txt: the tests that pass now.
"""

import collections
import json
import pathlib
import sys

import tables

HERE = pathlib.Path(__file__).parent
CORE = ("timers", "immediates", "ticks", "promises", "process", "streams", "events", "fs", "net",
        "http", "child_process")
SMALL = 3  # families with fewer tests are counted together

TOP = """# Node's own tests

`make node-tests` takes Node's tests from the source package of Debian's nodejs ({version}), keeps
those that Node 20 passes on this machine, runs them with phasor, and writes this page.
`test/common` is used as it is, and nothing of them is part of this project.
Tests that name `--expose-internals` run with a preload of ours, `runtime/tests/node/preload.js`,
which gives them the names of Node's inside and is not part of the product.
`scripts/node-tests.sh build FAMILY` runs one family; the results of several runs are merged here.
A test of `runtime/tests/node/passing.txt` that fails makes the run fail; every eighth of them runs
in `make test` where the tests are unpacked. Each test
runs with the flags that it names, in a folder of its own; all of them run in a network and a world
of processes of their own. A test that finds nothing to do here and passes in Node does not count as
passed.

"""


def share(passed, total):
    return f"{100 * passed / total:.1f} %" if total else ""


def line(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


class Results:
    def __init__(self, folder):
        self.rows = json.loads((folder / "results.json").read_text(encoding="utf-8"))
        self.families = tables.Families(HERE / "families.txt", folder / "test")
        self.reasons = tables.Reasons(HERE / "reasons.txt")
        self.version = (folder / "complete").read_text(encoding="utf-8").strip()
        sizes = collections.Counter(self.families.of(name) for name in self.rows)
        self.by_family = collections.defaultdict(list)
        for name in sorted(self.rows):
            family = self.families.of(name)
            self.by_family[family if sizes[family] >= SMALL else "others"].append(name)

    def passed(self, names):
        return sum(self.rows[name][0] == "pass" for name in names)

    def of_mark(self, *marks):
        return [name for family, names in self.by_family.items() for name in names
                if self.families.marks.get(family, "") in marks]

    def reason(self, family, name):
        result, _, error = self.rows[name]
        if result in ("crash", "hang"):
            return "does not end" if result == "hang" else "crash"
        if self.families.marks.get(family) == "!":
            return f"no {family} yet"
        return self.reasons.of(name, error) or "differs from Node"


def summary(results):
    core = [name for family in CORE for name in results.by_family[family]]
    rows = [("all", results.of_mark("", "~", "!")),
            ("without what looks into Node's or V8's inside", results.of_mark("")),
            (", ".join(CORE), core)]
    yield line("tests", "count", "passed", "share")
    yield line("---", "---", "---", "---")
    for title, names in rows:
        yield line(title, len(names), results.passed(names),
                   share(results.passed(names), len(names)))


def family_table(results):
    yield line("family", "tests", "passed", "share", "reasons of the others")
    yield line("---", "---", "---", "---", "---")
    for family in sorted(results.by_family):
        names = results.by_family[family]
        reasons = collections.Counter(results.reason(family, name) for name in names
                                      if results.rows[name][0] != "pass")
        text = ", ".join(f"{reason} {count}" for reason, count in reasons.most_common())
        passed = results.passed(names)
        yield line(family, len(names), passed, share(passed, len(names)), text)


def failures(results):
    for family in sorted(results.by_family):
        failed = [name for name in results.by_family[family] if results.rows[name][0] != "pass"]
        if not failed or results.families.marks.get(family) == "!":
            continue
        yield f"\n### {family}\n"
        groups = collections.defaultdict(list)
        for name in failed:
            stem = name.removeprefix("parallel/").removesuffix(".js")
            groups[results.reason(family, name)].append(stem.replace("test-", "", 1))
        for reason in sorted(groups):
            yield f"- {reason}: {', '.join(groups[reason])}"


def main():
    folder = pathlib.Path(sys.argv[1])
    results = Results(folder)
    text = TOP.format(version=results.version) + "\n".join(summary(results))
    text += "\n\n## Families\n\n" + "\n".join(family_table(results))
    text += "\n\n## What fails\n" + "\n".join(failures(results)) + "\n"
    pathlib.Path(sys.argv[2]).write_text(text, encoding="utf-8")
    if "--passing" in sys.argv:
        passed = sorted(name for name in results.rows if results.rows[name][0] == "pass")
        (HERE / "passing.txt").write_text("\n".join(passed) + "\n", encoding="utf-8")
    print("\n".join(summary(results)))


main()
