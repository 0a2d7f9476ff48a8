#!/usr/bin/env python3
"""permitted_paths_stay_what_was_checked.py PHASOR: a program that may use one folder calls a
function of fs, and while the thread pool is busy puts a link to another folder into the path.
Whatever the call does then, it does not reach the other folder."""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

phasor = os.path.abspath(sys.argv[1])
SECRET = "what nobody may see"

# The pool has one thread, and that waits for somebody who opens the other end of the FIFO.
PROGRAM = """
const fs = require('fs');
const done = (error, ...values) => console.log(error ? error.code : JSON.stringify(values));
const settle = (promise) => promise.then((value) => done(null, value), done);
const path = PATH;
fs.open('a/fifo', 'r', () => {});
try { CALL } catch (error) { done(error); }
if (WHICH === 'folder') {
  fs.renameSync('a/d', 'a/before');
  fs.renameSync('a/out', 'a/d');
} else {
  try { fs.unlinkSync(path); } catch {}
  fs.renameSync(WHICH === 'new' ? 'a/d/to-new' : 'a/d/to-file', path);
}
// The opening of the FIFO may not have begun yet.
const release = () => {
  try { fs.openSync('a/fifo', fs.constants.O_WRONLY | fs.constants.O_NONBLOCK); } catch {
    setTimeout(release, 1);
  }
};
release();
"""

EXISTING = {
    "readFile": "fs.readFile(path, 'utf8', done)",
    "promises.readFile": "settle(fs.promises.readFile(path, 'utf8'))",
    "open to read": "fs.open(path, 'r', (e, fd) => done(e, e || fs.readFileSync(fd, 'utf8')))",
    "createReadStream": "fs.createReadStream(path, 'utf8').on('data', (d) => done(null, d))"
                        ".on('error', done)",
    "writeFile": "fs.writeFile(path, 'written', done)",
    "promises.writeFile": "settle(fs.promises.writeFile(path, 'written'))",
    "appendFile": "fs.appendFile(path, 'written', done)",
    "createWriteStream": "fs.createWriteStream(path).on('error', done).end('written')",
    "truncate": "fs.truncate(path, 1, done)",
    "open to truncate": "fs.open(path, 'w+', done)",
    "stat": "fs.stat(path, (e, s) => done(e, s && s.size === SIZE ? 'secret' : ''))",
    "chmod": "fs.chmod(path, 0o600, done)",
    "chown": "fs.chown(path, 1234, 1234, done)",
    "utimes": "fs.utimes(path, 1, 1, done)",
    "copyFile from": "fs.copyFile(path, 'a/copy', done)",
    "copyFile to": "fs.copyFile('a/other', path, done)",
    "cp to": "fs.cp('a/other', path, done)",
    "cp from": "fs.cp(path, 'a/copied', done)",
    "lstat": "fs.lstat(path, (e, s) => done(e, s && s.size === SIZE ? 'secret' : ''))",
    "lutimes": "fs.lutimes(path, 1, 1, done)",
    "lchown": "fs.lchown(path, 1234, 1234, done)",
    "rename from": "fs.rename(path, 'a/moved', done)",
    "rename to": "fs.rename('a/other', path, done)",
    "link from": "fs.link(path, 'a/hard', done)",
    "unlink": "fs.unlink(path, done)",
    "rm": "fs.rm(path, { force: true }, done)",
    "access": "fs.access(path, done)",
    "realpath": "fs.realpath.native(path, (e, p) => "
                "done(e, p && p.includes('/b/') ? 'secret' : ''))",
    "readlink": "fs.readlink(path, done)",
    "statfs": "fs.statfs(path, (e) => done(e))",
}
NEW = {
    "writeFile": "fs.writeFile(path, 'written', done)",
    "open to make": "fs.open(path, 'wx', done)",
    "createWriteStream": "fs.createWriteStream(path).on('error', done).end('written')",
    "copyFile": "fs.copyFile('a/other', path, done)",
    "rename": "fs.rename('a/other', path, done)",
    "link": "fs.link('a/other', path, done)",
    "mkdir": "fs.mkdir(path, done)",
    "mkdir of several": "fs.mkdir(path + '/x/y', { recursive: true }, done)",
    "mkdtemp": "fs.mkdtemp(path, done)",
}
FOLDERS = {
    "readdir": "fs.readdir(path, done)",
    "readdir with types": "fs.readdir(path, { withFileTypes: true }, done)",
    "opendir": "settle(fs.promises.opendir(path).then((d) => d.read()))",
    "rmdir": "fs.rmdir(path + '/empty', done)",
    "rm of all": "fs.rm(path, { recursive: true, force: true }, done)",
    "cp of all": "fs.cp(path, 'a/copied', { recursive: true }, done)",
}


def prepare(folder):
    for name in ("a/d", "b/empty"):
        (folder / name).mkdir(parents=True)
    (folder / "a" / "d" / "empty").mkdir()
    for name in ("a/d/file", "a/other"):
        (folder / name).write_text("inside")
    for name in ("b/file", "b/hidden"):
        (folder / name).write_text(SECRET)
    (folder / "a" / "out").symlink_to("../b")
    (folder / "a" / "d" / "to-file").symlink_to("../../b/file")
    (folder / "a" / "d" / "to-new").symlink_to("../../b/new")
    os.mkfifo(folder / "a" / "fifo")


def outside(folder):
    found = {}
    for one in sorted((folder / "b").rglob("*")):
        stat = one.lstat()
        found[one.name] = (stat.st_mode, stat.st_uid, stat.st_nlink, stat.st_mtime_ns,
                           one.read_text() if one.is_file() else "")
    return found


def leaked(folder):
    return [str(one) for one in (folder / "a").rglob("*")
            if one.is_file() and not one.is_symlink() and SECRET in one.read_text()]


def attack(name, call, path, which):
    """What went wrong, or nothing."""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place).resolve()
        prepare(folder)
        before = outside(folder)
        code = PROGRAM.replace("PATH", repr(path)).replace("CALL", call + ";")
        code = code.replace("WHICH", repr(which)).replace("SIZE", str(len(SECRET)))
        run = subprocess.run(
            [phasor, "--no-warnings", "--experimental-permission", "--allow-fs-read=a/*",
             "--allow-fs-write=a/*", "-e", code], cwd=folder, timeout=100, capture_output=True,
            text=True, check=False, env=dict(os.environ, UV_THREADPOOL_SIZE="1"))
        words = f"{name} of {path}, {which} swapped: "
        if run.returncode != 0 or run.stderr:
            return f"{words}status {run.returncode}, {run.stderr}"
        if SECRET in run.stdout or "secret" in run.stdout or "hidden" in run.stdout:
            return f"{words}it saw {run.stdout}"
        if leaked(folder):
            return f"{words}it has {leaked(folder)}"
        if outside(folder) != before:
            return f"{words}outside is {outside(folder)}, was {before}"
    return None


attacks = [(name, call, "a/d/file", "folder") for name, call in EXISTING.items()]
attacks += [(name, call, "a/d/file", "file") for name, call in EXISTING.items()]
attacks += [(name, call, "a/d/new", "folder") for name, call in NEW.items()]
attacks += [(name, call, "a/d/new", "new") for name, call in NEW.items()]
attacks += [(name, call, "a/d", "folder") for name, call in FOLDERS.items()]
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    failed = [words for words in pool.map(lambda one: attack(*one), attacks) if words]
print(f"{len(attacks)} attacks, {len(failed)} failures")
if failed:
    sys.exit("\n".join(failed))
