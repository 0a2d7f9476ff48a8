#!/usr/bin/env python3
"""skips.py LOG BUILD: which tests of a run of CTest were skipped, and why they may be
(tests/skips.txt). Fails if one was skipped that may not be."""

import fnmatch
import pathlib
import re
import subprocess
import sys


def allowed():
    """(pattern, condition, reason) of each line"""
    for line in pathlib.Path("tests/skips.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            pattern, rest = line.split(" | ", 1)
            condition, reason = rest.rsplit(" | ", 1)
            yield pattern, condition, reason


def holds(condition, build):
    return subprocess.run(["bash", "-c", f"BUILD={build}; {condition}"], check=False,
                          capture_output=True).returncode == 0


def main():
    log, build = sys.argv[1:]
    text = pathlib.Path(log).read_text(encoding="utf-8", errors="replace")
    skipped = re.findall(r"^ *\d+/\d+ Test +#\d+: (\S+) .*\*\*\*Skipped", text, re.M)
    reasons = {}
    for name in skipped:
        reason = next((reason for pattern, condition, reason in allowed()
                       if fnmatch.fnmatchcase(name, pattern) and holds(condition, build)), None)
        reasons.setdefault(reason, []).append(name)
    for reason, names in reasons.items():
        if reason:
            print(f"  {len(names)} skipped, {reason}: {', '.join(names)}")
    for name in reasons.get(None, []):
        print(f"  SKIPPED, and tests/skips.txt does not allow it here: {name}")
    sys.exit(1 if None in reasons else 0)


main()
