"""Two threads of an addon that wait for room in a bounded queue both get all their calls through.
Node's sometimes wait for ever, so this is not compared with it."""

import pathlib
import subprocess
import sys

PROGRAM = """
const addon = require(process.argv[1]);
const counts = [0, 0];
globalThis.onJoined = () => console.log(counts);
addon.call((thread) => { counts[thread]++; }, 2);
"""


def main():
    addon = pathlib.Path(sys.argv[1]).resolve().parent.parent / "tests/addons/threads.node"
    done = subprocess.run([sys.argv[1], "-e", PROGRAM, str(addon)], capture_output=True,
                          text=True, check=False)
    if (done.returncode, done.stdout) != (0, "[ 500, 500 ]\n"):
        sys.exit(f"{done.returncode}\n{done.stdout}\n{done.stderr}")


if __name__ == "__main__":
    main()
