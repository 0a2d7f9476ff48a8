"""A library that needs V8's own C++ interface is refused with a sentence, before any of it runs."""

import pathlib
import subprocess
import sys
import tempfile

# A constructor that calls what is not there: the dynamic linker would end the process.
SOURCE = """
void isolate(void) __asm__("_ZN2v87Isolate10GetCurrentEv");
__attribute__((constructor)) static void start(void) { isolate(); }
"""
PROGRAM = """
try { require(process.argv[1]); } catch (error) { console.log(error.code, error.message); }
console.log('goes on');
"""


def main():
    with tempfile.TemporaryDirectory() as folder:
        addon = pathlib.Path(folder) / "old.node"
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(addon)], input=SOURCE,
                       text=True, check=True)
        done = subprocess.run([sys.argv[1], "-e", PROGRAM, str(addon)], capture_output=True,
                              text=True, check=False)
    expected = (f"ERR_DLOPEN_FAILED {addon} was built for V8's own C++ interface (it needs "
                "_ZN2v87Isolate10GetCurrentEv), which this runtime does not have. Addons that use "
                "Node-API alone can be loaded.\ngoes on\n")
    if (done.returncode, done.stdout) != (0, expected):
        sys.exit(f"{done.returncode}\n{done.stdout}\n{done.stderr}")


if __name__ == "__main__":
    main()
