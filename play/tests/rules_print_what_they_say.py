"""rules_print_what_they_say.py PHASOR PLAY: runs the example of each rule in three worlds, and sees
that each rule that the page names is there in both languages."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

PHASOR, PLAY = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path.insert(0, str(PLAY))
from rules import examples, rules  # noqa: E402


def printed(program, seed):
    ran = subprocess.run([PHASOR, "play", str(program), "--events", "--seed", str(seed)],
                         capture_output=True, encoding="utf-8", timeout=120, check=True)
    rows = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("[")]
    return "".join(row[4] for row in rows if row[2] == "out")


def main():
    failed = []
    names = set(rules("en"))
    if names != set(rules("zh")):
        failed.append("the languages have different rules")
    sources = "".join((PLAY / "page" / name).read_text(encoding="utf-8")
                      for name in ("things.js", "happenings.js"))
    unused = names - set(re.findall(r"'([\w-]+)'", sources))
    if unused:
        failed.append(f"no step names the rules {unused}")
    with tempfile.TemporaryDirectory() as folder:
        for name, source, expected in examples():
            program = pathlib.Path(folder, f"{name}.js")
            program.write_text(source, encoding="utf-8")
            for seed in (1, 2, 3):
                said = printed(program, seed)
                if said != expected:
                    failed.append(f"{name} prints {said!r} in world {seed}, not {expected!r}")
    print("\n".join(failed), f"{len(names)} rules")
    sys.exit(bool(failed))


main()
