"""Builds the addons of Node's own tests: each folder of FOLDER/test/js-native-api and
FOLDER/test/node-api says in its binding.gyp which sources make which addon.

    addons.py FOLDER HEADERS
"""

import ast
import concurrent.futures
import os
import pathlib
import subprocess
import sys

FOLDERS = ("js-native-api", "node-api")


def targets(gyp):
    text = "\n".join(line for line in gyp.read_text(encoding="utf-8").splitlines()
                     if not line.lstrip().startswith("#"))
    return [target for target in ast.literal_eval(text.strip())["targets"]
            if target.get("type") != "none" and target.get("sources")]


def command(folder, target, headers, out):
    sources = [str(folder / name) for name in target["sources"] if not name.endswith(".h")]
    is_cxx = any(not name.endswith(".c") for name in sources)
    defines = [f"-D{name}" for name in target.get("defines", [])]
    language = ["c++", "-std=c++17"] if is_cxx else ["cc"]
    return [*language, "-shared", "-fPIC", "-O1", "-g", "-w", f"-I{headers}",
            "-DBUILDING_NODE_EXTENSION", f"-DNODE_GYP_MODULE_NAME={target['target_name']}",
            *defines, "-o", str(out), *sources]


def build(job):
    folder, target, headers = job
    out = folder / "build" / "Release" / f"{target['target_name']}.node"
    if out.exists():
        return None
    out.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(command(folder, target, headers, out), capture_output=True, text=True,
                          check=False)
    return None if done.returncode == 0 else f"{folder.name}/{target['target_name']}: {done.stderr}"


def main():
    tests = pathlib.Path(sys.argv[1]).resolve() / "test"
    headers = sys.argv[2]
    jobs = [(gyp.parent, target, headers) for name in FOLDERS
            for gyp in sorted((tests / name).glob("*/binding.gyp")) for target in targets(gyp)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = [said for said in pool.map(build, jobs) if said]
    for said in failed:
        print(said, file=sys.stderr)
    print(f"{len(jobs) - len(failed)} of {len(jobs)} addons of Node's tests are built")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
