#!/usr/bin/env python3
"""permissions_are_stricter_than_names.py PHASOR: where Node's permission model looks at names only,
ours looks at what the system would reach."""
import os
import pathlib
import subprocess
import sys
import tempfile

phasor = os.path.abspath(sys.argv[1])
failed = []


def run(folder, flags, code):
    command = [phasor, "--no-warnings", "--experimental-permission", *flags, "-e",
               "const fs = require('fs');\n" + code]
    environment = dict(os.environ, PHASOR_CHECK_LEAKS="1")
    found = subprocess.run(command, cwd=folder, timeout=100, capture_output=True, text=True,
                           check=False, env=environment)
    return found.stdout + found.stderr


def check(what, found, expected):
    if found != expected:
        failed.append(f"{what}: {found!r}, not {expected!r}")


DENIED = "ERR_ACCESS_DENIED\n"


def attempt(expression):
    return f"try {{ {expression}; console.log('done') }} catch (e) {{ console.log(e.code) }}"


def links(folder):
    (folder / "a" / "sub").mkdir(parents=True)
    (folder / "b").mkdir()
    (folder / "b" / "secret").write_text("secret")
    (folder / "a" / "out").symlink_to(folder / "b")
    (folder / "a" / "file").symlink_to("../b/secret")
    (folder / "a" / "new").symlink_to("../b/new")
    (folder / "a" / "inside").symlink_to("sub")
    (folder / "a" / "loop").symlink_to("loop")
    (folder / "way").symlink_to("a")
    flags = ["--allow-fs-read=a/*", "--allow-fs-write=a/*"]
    for name in ("a/out/secret", "a/file", "a/sub/../file", "a/out/../b/secret"):
        check(name, run(folder, flags, attempt(f"fs.readFileSync('{name}')")), DENIED)
    check("a link to nothing", run(folder, flags, attempt("fs.writeFileSync('a/new', 'x')")),
          DENIED)
    check("nothing was made", (folder / "b" / "new").exists(), False)
    check("a link that stays inside", run(folder, flags, attempt("fs.readdirSync('a/inside')")),
          "done\n")
    check("a link's own name", run(folder, flags, attempt("fs.readlinkSync('a/out')")), "done\n")
    check("a link to itself", run(folder, flags, attempt("fs.readFileSync('a/loop')")), "ELOOP\n")
    check("a folder that is granted through a link",
          run(folder, ["--allow-fs-read=way"], attempt("fs.readdirSync('way/sub')")), "done\n")
    check("its other name",
          run(folder, ["--allow-fs-read=way"], attempt("fs.readdirSync('a/sub')")), DENIED)
    check("a link that is granted by name",
          run(folder, ["--allow-fs-read=a/file"], attempt("fs.readFileSync('a/file')")), "done\n")
    for call in ("fs.lstatSync('a/out/')", "fs.lutimesSync('a/out/', 1, 1)",
                 "fs.lchownSync('a/out/', 1, 1)"):
        check(call, run(folder, flags, attempt(call)), DENIED)
    check("a link can't be made", run(folder, flags, attempt("fs.symlinkSync('x', 'a/x')")), DENIED)


def working_directory(folder):
    for name in ("a", "b"):
        (folder / name).mkdir()
    code = """process.chdir('a');
fs.writeFile('file', 'x', () => {});
process.chdir('../b');"""
    run(folder, ["--allow-fs-read=*", "--allow-fs-write=a"], code)
    check("a path means what it meant when it was given",
          ((folder / "a" / "file").exists(), (folder / "b" / "file").exists()), (True, False))


def sockets(folder):
    code = """require('net').connect('x').on('error', (e) => console.log(e.code));
require('net').createServer().listen('y').on('error', (e) => console.log(e.code));"""
    check("sockets have names, too", run(folder, ["--allow-fs-read=*"], code), "EACCES\nEACCES\n")


def removed_sockets(folder):
    """The name of a listening socket is removed where it was made."""
    (folder / "a" / "d").mkdir(parents=True)
    (folder / "b").mkdir()
    (folder / "b" / "socket").write_text("")
    (folder / "a" / "out").symlink_to("../b")
    code = """const server = require('net').createServer().listen('a/d/socket', () => {
  fs.renameSync('a/d', 'a/before');
  fs.renameSync('a/out', 'a/d');
  server.close();
});"""
    run(folder, ["--allow-fs-read=a/*", "--allow-fs-write=a/*"], code)
    check("sockets in both folders",
          ((folder / "a" / "before" / "socket").exists(), (folder / "b" / "socket").exists()),
          (False, True))


def packages(folder):
    """What a package says of itself is seen; what only has its name is not."""
    (folder / "a" / "own").mkdir(parents=True)
    (folder / "a" / "other").mkdir()
    (folder / "secret.json").write_text('{"main": "secret"}')
    (folder / "a" / "own" / "package.json").write_text('{"main": "file.js"}')
    (folder / "a" / "own" / "file.js").write_text("console.log('ran')")
    (folder / "a" / "other" / "package.json").symlink_to("../../secret.json")
    flags = ["--allow-fs-read=a/*"]
    check("a package", run(folder, flags, "require('./a/own')"), "ran\n")
    check("a link", run(folder, flags, attempt("require('./a/other')")), DENIED)


def databases(folder):
    (folder / "a").mkdir()
    start = "const { DatabaseSync } = require('node:sqlite');"
    if "ERR_DLOPEN_FAILED" in run(folder, [], start + attempt("new DatabaseSync(':memory:')")):
        return
    flags = ["--allow-fs-read=a", "--allow-fs-write=a"]
    for expected, path in (("done\n", ":memory:"), ("done\n", "a/x"), (DENIED, "x"),
                           (DENIED, "file:a/../x"), (DENIED, "a/../x")):
        check(path, run(folder, flags, start + attempt(f"new DatabaseSync('{path}')")), expected)
    start += "const db = new DatabaseSync('a/x');"
    for sql in ("ATTACH 'y' AS y", "VACUUM INTO 'z'", "PRAGMA temp_store_directory = '/tmp'"):
        check(sql, run(folder, flags, start + attempt(f'db.exec("{sql}")')), "ERR_SQLITE_ERROR\n")
    check("VACUUM", run(folder, flags, start + attempt("db.exec('VACUUM')")), "done\n")
    check("files", sorted(one.name for one in folder.iterdir()), ["a"])


def workers(folder):
    (folder / "secret").write_text("secret")
    code = """new (require('worker_threads').Worker)(`
const has = process.permission.has('fs.read');
try { require('fs').readFileSync('secret') } catch (e) { console.log(has, e.code) }`,
{ eval: true })"""
    check("a worker", run(folder, ["--allow-worker"], code), "false ERR_ACCESS_DENIED\n")


for test in (links, working_directory, sockets, removed_sockets, packages, databases, workers):
    with tempfile.TemporaryDirectory() as place:
        test(pathlib.Path(place).resolve())
if failed:
    sys.exit("\n".join(failed))
