#!/usr/bin/env python3
"""internal_modules_are_for_those_who_ask.py PHASOR: require('internal/...') finds our own modules
with --expose-internals and nothing without it; the names of Node's inside are found in neither, but
by a program that loads the preload of Node's tests."""
import os
import pathlib
import subprocess
import sys

program = sys.argv[1]
preload = pathlib.Path(__file__).resolve().parents[2] / "node" / "preload.js"
CODE = """
const found = (id) => { try { return typeof require(id); } catch (error) { return error.code; } };
console.log(found('internal/errors/errors'), found('internal/freelist'),
  found('internal/test/binding'));
"""


def run(*options):
    done = subprocess.run([program, "--no-warnings", *options, "-e", CODE], capture_output=True,
                          text=True, timeout=100, check=False,
                          env={k: v for k, v in os.environ.items() if k != "NODE_OPTIONS"})
    assert done.returncode == 0 and done.stderr == "", done
    return done.stdout.split()


NONE = "MODULE_NOT_FOUND"
assert run() == [NONE, NONE, NONE], run()
assert run("--expose-internals") == ["object", NONE, NONE], run("--expose-internals")
assert run("-r", str(preload)) == [NONE, NONE, NONE], run("-r", str(preload))
both = run("--expose-internals", "-r", str(preload))
assert both == [NONE, "function", "object"], both
