#!/usr/bin/env python3
"""run.py BUILD [--quick | --again] [PLATFORM...]: builds the library and its tests, or all
products, for each platform below BUILD/platforms and runs the tests there: --quick a part of them,
--again those that failed the last time, without building. What can't work is in exceptions.txt
with its reason and is not tried; any failure fails. Results are left in BUILD/platforms/results for
report.py. Exits with 77 if nothing could be run."""

import concurrent.futures
import fnmatch
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import platforms

HERE = pathlib.Path(__file__).parent
SOURCE = HERE.parent.parent
JOBS = os.cpu_count() or 2
PATIENCE = 120  # five times as long in an emulator
TRACE_PROGRAMS = [f"trace_{name}" for name in ("program", "endings", "stuck", "stacks", "shares",
                                               "turns", "events")]
# Of each family a file, which make test takes.
QUICK = ("unit.clock.*", "unit.timer_model.*", "behaviour.timer.*", "behaviour.loop_phases.*",
         "behaviour.async.*", "behaviour.stream_write.*", "behaviour.udp_send.*",
         "behaviour.fs_files.*", "behaviour.pool_work.*", "behaviour.spawn_exit.*",
         "faults.loop.*")


def kernel_headers(folder):
    """musl's compiler knows none: those of the system, without the C library's."""
    kernel = folder / "kernel"
    kernel.mkdir(parents=True, exist_ok=True)
    machine = subprocess.run(["gcc", "-print-multiarch"], capture_output=True, text=True,
                             check=True).stdout.strip()
    for name, target in (("linux", "/usr/include/linux"),
                         ("asm-generic", "/usr/include/asm-generic"),
                         ("asm", f"/usr/include/{machine}/asm")):
        if not (kernel / name).is_symlink():
            (kernel / name).symlink_to(target)
    return kernel


def sysroot_of(platform, folder):
    return folder.parent / "sysroots" / platform.processor


def search_in(root, platform):
    """(options of CMake, environment): libraries are looked for below that folder alone."""
    prefix = platforms.PROCESSORS[platform.processor][0] if platform.sysroot else "none"
    options = [f"-DCMAKE_FIND_ROOT_PATH={root}", "-DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY",
               "-DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY",
               "-DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER"]
    if platform.sysroot:
        options += [f"-DCMAKE_SYSROOT={root}", f"-DCMAKE_LIBRARY_ARCHITECTURE={prefix}",
                    f"-DCMAKE_CROSSCOMPILING_EMULATOR={platform.emulator};-L;{root}"]
    return options, dict(os.environ, PKG_CONFIG_SYSROOT_DIR=str(root),
                         PKG_CONFIG_LIBDIR=f"{root}/usr/lib/{prefix}/pkgconfig:"
                                           f"{root}/usr/share/pkgconfig")


def build(platform, folder, targets, optimized=True):
    """The log of what failed, or None."""
    flags = "-O1 -g0" if optimized else "-O0 -g0"
    options, environment = list(platform.options), dict(os.environ)
    if not platform.whole:  # where stacks are told, their lines are too
        options.append("-DCMAKE_C_FLAGS_DEBUG=")
    if platform.libc == "musl":
        flags += f" -isystem {kernel_headers(folder.parent)}"
    folder.mkdir(parents=True, exist_ok=True)
    if platform.sysroot:
        done = subprocess.run(["bash", HERE / "sysroot.bash", sysroot_of(platform, folder),
                               platform.processor], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            return done.stdout
    if platform.whole and (platform.sysroot or platform.libc == "musl"):
        root = sysroot_of(platform, folder) if platform.sysroot else folder / "empty"
        more, environment = search_in(root, platform)
        options += more
    steps = (["cmake", "-S", SOURCE if platform.whole else SOURCE / "lib", "-B", folder, "-G",
              "Ninja", "-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_C_FLAGS={flags}", *options],
             ["ninja", "-C", folder, "-k0", f"-j{JOBS}", *targets])
    for step in steps:
        done = subprocess.run(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env=environment, check=False)
        if done.returncode != 0:
            lines = [line for line in done.stdout.splitlines() if not line.startswith("[")]
            return "\n".join(lines)[:6000]
    return None


def list_tests(folder, platform, wanted):
    said = subprocess.run(["ctest", "--test-dir", folder, "--show-only=json-v1"],
                          capture_output=True, text=True, check=True).stdout
    tests = []
    for test in json.loads(said)["tests"]:
        name = test["name"]
        program = test.get("command")
        if program and name.split(".")[0] in platform.kinds and \
                any(fnmatch.fnmatchcase(name, pattern) for pattern in wanted) and \
                any(fnmatch.fnmatchcase(name, pattern) for pattern in platform.tests):
            tests.append((name, program))
    return tests


def targets_of(platform, wanted):
    """The programs of the quick tests, or all."""
    if platform.whole:
        return ["phasor", "phasor_recorder", "phasor_redirect", "phasor_join", *TRACE_PROGRAMS]
    if wanted == ("*",):
        return ["all"] + [f"{kind}_tests" for kind in platform.kinds
                          if kind not in platform.fragile]
    programs = {"test_" + "_".join(pattern.split(".")[:2]) for pattern in wanted}
    return ["uv", "uv_a", *sorted(programs)]


def binfmt_rule(program, emulator):
    """How the kernel knows such programs: by the head of one of them. Executables and position
    independent ones differ in the lowest bit of their type."""
    head = pathlib.Path(program).read_bytes()[:20]
    big_endian = head[5] == 2
    mask = bytearray(b"\xff" * 7 + b"\0" * 9 + b"\xff" * 4)
    mask[17 if big_endian else 16] = 0xfe
    magic = bytearray(a & b for a, b in zip(head, mask))
    magic[17 if big_endian else 16] = 2

    def quoted(data):
        return "".join(f"\\x{byte:02x}" for byte in data)

    return f":phasor:M::{quoted(magic)}:{quoted(mask)}:{shutil.which(emulator)}:FP"


def starts(platform, command, program):
    """Whether a program of the platform, and not only its first one, runs so."""
    arguments, status = (["--version"], 0) if platform.whole else (["no such test"], 2)
    done = subprocess.run(command + ["sh", "-c", '"$0" "$@"; exit $?', program, *arguments],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return done.returncode == status


def foreign(platform, tools, folder, program):
    """The command before a program of another processor, and what exceptions.txt calls it. This
    one may run it by itself, with that processor's libraries below the system's own."""
    sysroot = f"/usr/{platforms.PROCESSORS[platform.processor][0]}"
    if platform.sysroot:
        sysroot = str(sysroot_of(platform, folder))
        native = ["unshare", "--mount", "sh", "-c",
                  'mount -t overlay none -o lowerdir="$0" /usr && exec "$@"',
                  f"/usr:{sysroot}/usr:{sysroot}"]
        if platform.processor == "i386" and starts(platform, native, program):
            return native, []
    inside = ["env", f"QEMU_LD_PREFIX={sysroot}", str(tools / "emulated"),
              binfmt_rule(program, platform.emulator)]
    if starts(platform, inside, program):
        return inside, ["emulated"]
    return [platform.emulator, "-L", sysroot], ["emulated", "childless"]


def launcher(platform, tools, folder, program):
    """(the command before a test, what else exceptions.txt calls the platform)"""
    if platform.emulator:
        return foreign(platform, tools, folder, program)
    command = ["unshare", "--mount"] if platform.mounts else []
    if platform.shell:
        command += ["sh", "-c", f'{platform.shell}; exec "$@"', "sh"]
    if platform.filter:
        command = [str(tools / "filtered"), platform.filter]
    return command, []


def run_test(command, test, environment, patience):
    """(name, "passed" | "skipped" | "failed", what it said)"""
    name, program = test
    if not pathlib.Path(program[0]).exists():
        return name, "skipped", "the C library does not have what the test replaces"
    with tempfile.TemporaryDirectory(prefix="phasor-platform-") as folder:
        environment = dict(environment, TMPDIR=environment.get("TMPDIR", folder),
                           COMPARE_NODE="no")
        try:
            done = subprocess.run(command + program, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace",
                                  timeout=patience, env=environment, stdin=subprocess.DEVNULL,
                                  check=False)
        except subprocess.TimeoutExpired:
            return name, "failed", f"not finished after {patience} s"
    if done.returncode == 77:
        return name, "skipped", done.stdout.strip().removeprefix("skipped: ")
    if done.returncode == 0:
        return name, "passed", ""
    return name, "failed", f"{done.stdout[-1500:].strip()} (status {done.returncode})"


def build_all(platform, tools, quick):
    """(the folder, the log of what failed). Where make test has built the programs, they are
    taken."""
    if quick and platform.build == "amd64" and (tools.parent / "tests").is_dir():
        return tools.parent, None
    folder = tools / (platform.build + ("-quick" if quick else ""))
    print(f"{platform.name}: building", flush=True)
    log = build(platform, folder, targets_of(platform, QUICK if quick else ("*",)), not quick)
    for kind in () if quick or log else platform.fragile:
        build(platform, folder, [f"{kind}_tests"])
    return folder, log


def seconds():
    """Now, and what all programs that have ended have used of the processors."""
    used = os.times()
    return time.monotonic(), used.children_user + used.children_system


def passed_since(before):
    return [round(after - earlier) for after, earlier in zip(seconds(), before)]


def run_platform(platform, tools, mode):
    began = seconds()
    folder, log = (tools / platform.build, None) if mode == "again" else \
        build_all(platform, tools, mode == "quick")
    if log:
        return {"broken": log}
    building, built = passed_since(began), seconds()
    results = {"passed": 0, "skipped": {}, "impossible": {}, "failed": {}}
    tests = list_tests(folder, platform, QUICK if mode == "quick" else ("*",))
    first = str(folder / "bin/phasor") if platform.whole else tests[0][1][0]
    command, names = launcher(platform, tools, folder, first)
    if platform.whole and "childless" in names:
        return {"broken": "the emulator can't be entered for the programs that a script starts"}
    results["names"] = [platform.name, *names]
    results["total"] = len(tests)
    if mode == "again":
        results = json.loads(results_of(tools, platform).read_text(encoding="utf-8"))
        tests = [test for test in tests if test[0] in results["failed"]]
        results["failed"] = {}
    run_tests(platform, command, tests, results)
    if mode != "again":
        results["seconds"] = {"building": building, "testing": passed_since(built)}
    return results


def run_tests(platform, command, tests, results):
    environment = dict(os.environ)
    environment.pop("PHASOR_TRACE", None)
    if platform.mounts:
        environment["TMPDIR"] = "/tmp"
    known = platforms.exceptions(results["names"])
    for name, _ in tests:
        reason = next((why for pattern, why in known if fnmatch.fnmatchcase(name, pattern)), None)
        if reason:
            results["impossible"][name] = reason
    possible = [test for test in tests if test[0] not in results["impossible"]]
    patience = PATIENCE * (5 if "emulated" in results["names"] else 1)
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        done = pool.map(lambda test: run_test(command, test, environment, patience), possible)
        for name, result, said in done:
            if result == "passed":
                results["passed"] += 1
            elif result == "skipped":
                results["skipped"][name] = said
            else:
                results["failed"][name] = said


def make_tools(tools):
    """Other runs may use what is there: it is replaced as a whole."""
    tools.mkdir(parents=True, exist_ok=True)
    for name in ("filtered", "emulated"):
        made = tools / f"{name}.{os.getpid()}"
        subprocess.run(["gcc", "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Werror",
                        HERE / f"{name}.c", "-o", made], check=True)
        made.replace(tools / name)
    (tools / "results").mkdir(exist_ok=True)


def results_of(tools, platform):
    return tools / "results" / f"{platform.name}.json"


def tell(name, results):
    if "broken" in results:
        print(f"{name}: does not build\n{results['broken']}")
        return
    print(f"{name}: {results['passed']} of {results['total']} passed, "
          f"{len(results['skipped'])} skipped, {len(results['impossible'])} impossible, "
          f"{len(results['failed'])} failed", flush=True)
    for what, (passed, used) in results.get("seconds", {}).items():
        print(f"  {what}: {passed} s, {used} s of the processors", flush=True)
    for test, said in results["failed"].items():
        print(f"  {test}: {said}")


def main():
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    mode = next((argument[2:] for argument in sys.argv[1:] if argument.startswith("--")), "")
    if mode not in ("", "quick", "again"):
        sys.exit(f"--{mode} is neither --quick nor --again")
    tools = pathlib.Path(arguments[0]).resolve() / "platforms"
    known = platforms.all_platforms()
    for name in arguments[1:]:
        if name not in known:
            sys.exit(f"{name} is not a platform; these are: {', '.join(known)}")
    make_tools(tools)
    failed = ran = 0
    for name in arguments[1:] or [one for one in known if not known[one].only_quick]:
        platform = known[name]
        missing = platform.missing()
        if missing:
            print(f"skipped: {name} needs {missing}")
            continue
        ran += 1
        results = run_platform(platform, tools, mode)
        tell(name, results)
        failed += "broken" in results or bool(results["failed"])
        if mode != "quick":
            text = json.dumps(results, indent=1)
            results_of(tools, platform).write_text(text, encoding="utf-8")
    sys.exit(1 if failed else 0 if ran else 77)


main()
