#!/usr/bin/env python3
"""sqlite_keeps_its_word.py PHASOR: every program of sqlite/ checks a part of node:sqlite, which
Node 20 does not have. Nothing may leak, and nothing of it is loaded by a program without it."""
import os
import pathlib
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent / "sqlite"
environment = dict(os.environ, PHASOR_CHECK_LEAKS="1")
failed = []
for program in sorted(here.glob("*.js")):
    with tempfile.TemporaryDirectory() as folder:
        found = subprocess.run([os.path.abspath(sys.argv[1]), program], cwd=folder, timeout=100,
                               capture_output=True, text=True, check=False, env=environment)
        warned = "ExperimentalWarning: SQLite is an experimental feature" in found.stderr
        if found.returncode != 0 or found.stdout != "done\n" or not warned:
            failed.append(f"{program.name}: status {found.returncode}\n"
                          f"{found.stdout}{found.stderr}")
if failed:
    sys.exit("\n".join(failed))
