"""The libraries that are compared, and how the machine runs on each of them."""

import itertools
import os
import pathlib
import subprocess

PROCESSORS = itertools.cycle(sorted(os.sched_getaffinity(0)))


class Library:
    def __init__(self, name, machine, command, environment):
        self.name = name
        self.machine, self.command, self.environment = machine, command, environment
        said = subprocess.run(command + [machine, "version"], capture_output=True, text=True,
                              env=environment, check=True).stdout
        self.version = ".".join(said.split(".")[:2])
        self.complaint = ""  # what a sanitizer said in the last run

    def run(self, programs):
        """{name: log lines} of {name: text}."""
        text = "".join(f"program {name}\n{body}" for name, body in programs.items())
        command = ["taskset", "-c", str(next(PROCESSORS))] + self.command + [self.machine]
        done = subprocess.run(command, input=text, capture_output=True, text=True,
                              errors="replace", env=self.environment, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{self.name}: {done.stderr[-2000:]}")
        logs = {}
        for line in done.stdout.split("\n")[:-1]:
            if line.startswith("program "):
                logs[line[8:]] = current = []
            else:
                current.append(line)
        self.complaint = done.stderr
        return logs


def environment(folder):
    values = {key: value for key, value in os.environ.items() if not key.startswith("UV_")}
    if folder:
        values["LD_LIBRARY_PATH"] = str(folder)
    values.setdefault("ASAN_OPTIONS", "handle_segv=0:allow_user_segv_handler=1")
    return values


def multiarch():
    return subprocess.run(["gcc", "-print-multiarch"], capture_output=True, text=True,
                          check=True).stdout.strip()


def machine(build):
    return str(build / "tests/differential_machine")


def ours(build):
    return Library("ours", machine(build), [], environment(build / "lib"))


def debian(build):
    folder = pathlib.Path("/usr/lib") / multiarch()
    path = folder / "libuv.so.1"
    if not path.exists():
        return None
    return Library("Debian's libuv", machine(build), [], environment(folder))


def testing(build):
    """Testing's libuv, if bench/peer.sh has fetched it, with the C library it was built for."""
    if not (build / "peer/complete").exists():
        return None
    folder = build / "peer/root/usr/lib" / multiarch()
    loader = str(next(folder.glob("ld-linux*")))
    return Library("testing's libuv", machine(build),
                   [loader, "--library-path", str(folder)], environment(None))
