"""Where the library's tests run: the processors, C libraries, ways of waiting, filters of system
calls and limits. A platform is built (cmake options) and its tests are started (a launcher)."""

import dataclasses
import fnmatch
import pathlib
import shutil

HERE = pathlib.Path(__file__).parent
# Debian's name -> what a compiler, an emulator and CMake call the processor.
PROCESSORS = {
    "arm64": ("aarch64-linux-gnu", "aarch64", "aarch64"),
    "riscv64": ("riscv64-linux-gnu", "riscv64", "riscv64"),
    "ppc64el": ("powerpc64le-linux-gnu", "ppc64le", "ppc64le"),
    "s390x": ("s390x-linux-gnu", "s390x", "s390x"),
    "armhf": ("arm-linux-gnueabihf", "arm", "armv7l"),
    "i386": ("i686-linux-gnu", "i386", "i686"),
}
FILTERS = ("docker", "gvisor", "systemd", "linux-4.18", "nothing-new")
# What the command, the runtime and the tracer are tested with where programs are slow.
RUNTIME_TESTS = ("js.order.*", "js.buffer.*", "js.fs.*", "js.net.*", "js.process.*", "js.streams.*",
                 "js.child.*", "js.worker.*", "js.modules.*", "js.errors.*", "js.zlib.*",
                 "js.crypto.*", "js.v8.*", "js.wasm.*", "js.util.*", "js.url.*", "js.events.*")
TRACER_TESTS = ("trace.js_*", "trace.a_recorded_program_*", "trace.turns_*", "trace.marks_*")
# Beside the order of callbacks: bytes, numbers and formats, where the processor shows.
FEW_TESTS = ("js.order.*", "js.buffer.*", "js.zlib.*", "js.v8.*", "js.wasm.*", "js.util.*",
             "trace.js_late_timers_*", "trace.js_functions_*")
# What a shell does before it becomes the test, in a mount namespace of its own.
LIMITS = {
    "no-proc": "mount -t tmpfs none /proc",
    "no-shm": "mount -t tmpfs -o ro none /dev/shm",
    "read-only-root": "mount --make-rprivate / && mount -t tmpfs none /mnt && "
                      "export TMPDIR=/mnt && mount -o remount,bind,ro /",
    "stack-64k": "ulimit -s 64",
    "descriptors-16": "ulimit -n 16",
    "memory-64m": "ulimit -v 65536",
}
MOUNTS = ("no-proc", "no-shm", "read-only-root")


@dataclasses.dataclass
class Platform:
    name: str
    processor: str = "amd64"
    libc: str = "glibc"
    condition: str = ""  # the filter, limit or choice that makes it differ
    build: str = ""  # the folder; another platform's if only the launcher differs
    options: list = dataclasses.field(default_factory=list)
    kinds: tuple = ("unit", "behaviour", "faults")
    fragile: tuple = ()  # kinds whose programs may be impossible to build
    needs: tuple = ()  # commands
    only_quick: bool = False  # two platforms in one build, for make test
    whole: bool = False  # command, runtime, tracer and simulator too
    tests: tuple = ("*",)
    sysroot: bool = False  # Debian's packages of that processor, below the build folder
    emulator: str = ""
    shell: str = ""  # see LIMITS
    mounts: bool = False
    filter: str = ""

    def missing(self):
        """The first command that the platform needs and that is not there."""
        return next((name for name in self.needs if not shutil.which(name)), None)


def foreign(processor):
    prefix, emulator, cmake_name = PROCESSORS[processor]
    return Platform(
        processor, processor=processor, build=processor, emulator=f"qemu-{emulator}",
        needs=(f"{prefix}-gcc", f"qemu-{emulator}"), sysroot=processor == "i386",
        options=[f"-DCMAKE_C_COMPILER={prefix}-gcc", "-DCMAKE_SYSTEM_NAME=Linux",
                 f"-DCMAKE_SYSTEM_PROCESSOR={cmake_name}"])


def runtime_on(name, tests):
    """All products on another processor."""
    library = foreign(name)
    return dataclasses.replace(
        library, name=f"{name}-runtime", condition="command, runtime, tracer",
        build=f"{name}-runtime", kinds=("js", "trace"), whole=True, sysroot=True, tests=tests)


def runtime_on_musl(linkage):
    library = musl(linkage)
    options = ["-DCMAKE_C_COMPILER=musl-gcc"]
    if linkage == "static":
        options += ["-DPHASOR_STATIC=ON"]
    return dataclasses.replace(
        library, name=f"musl-{linkage}-runtime", condition=f"{linkage}: command, runtime, recorder",
        build=f"musl-{linkage}-runtime", kinds=("js", "trace"), whole=True, options=options,
        fragile=(), tests=RUNTIME_TESTS + ("trace.js_*",))


def musl(linkage):
    options = ["-DCMAKE_C_COMPILER=musl-gcc"]
    if linkage == "static":
        options += ["-DPHASOR_STATIC_TESTS=ON"]
    return Platform(f"musl-{linkage}", libc="musl", condition=linkage, build=f"musl-{linkage}",
                    options=options, needs=("musl-gcc",), fragile=("faults",))


def all_platforms():
    native = Platform("amd64", build="amd64")
    found = [native] + [foreign(name) for name in PROCESSORS]
    found += [runtime_on(name, RUNTIME_TESTS + TRACER_TESTS if name == "arm64" else FEW_TESTS)
              for name in PROCESSORS]
    found += [musl("dynamic"), musl("static")]
    found += [runtime_on_musl("dynamic"), runtime_on_musl("static")]
    found.append(Platform("poll", condition="poll(2) instead of epoll", build="poll",
                          options=["-DPHASOR_POLLER=poll"], kinds=("unit", "behaviour")))
    found.append(Platform("plain", condition="nothing of the processor's own", build="plain",
                          options=["-DPHASOR_PLAIN_PROCESSOR=ON"]))
    found.append(Platform("plain-runtime", condition="the same: command, runtime, tracer",
                          build="plain-runtime", options=["-DPHASOR_PLAIN_PROCESSOR=ON"],
                          whole=True, kinds=("js", "trace"),
                          tests=FEW_TESTS + TRACER_TESTS + ("trace.stacks_*", "trace.a_program_*",
                                                            "trace.node_with_*")))
    found.append(Platform("poll-plain", condition="both", build="poll-plain", only_quick=True,
                          options=["-DPHASOR_POLLER=poll", "-DPHASOR_PLAIN_PROCESSOR=ON"],
                          kinds=("unit", "behaviour")))
    for name in FILTERS:
        found.append(Platform(f"filter-{name}", condition=f"filter {name}", build="amd64",
                              kinds=("behaviour",), filter=str(HERE / f"filters/{name}.txt")))
    for name, shell in LIMITS.items():
        found.append(Platform(f"limit-{name}", condition=name, build="amd64",
                              kinds=("behaviour",), shell=shell, mounts=name in MOUNTS))
    return {platform.name: platform for platform in found}


def exceptions(names):
    """[(pattern, reason)] of the tests that can't pass on a platform with these names."""
    found = []
    for line in (HERE / "exceptions.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            where, pattern, reason = line.split(" | ", 2)
            if any(fnmatch.fnmatchcase(name, one) for one in where.split() for name in names):
                found.append((pattern, reason))
    return found
