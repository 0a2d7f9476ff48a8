#!/usr/bin/env python3
"""permitted_calls_do_what_others_do.py PHASOR: what a program may do under the permission model
gives the same results and errors as without it."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

phasor = os.path.abspath(sys.argv[1])
PROGRAM = r"""
const fs = require('fs');
const net = require('net');
const tidy = (value) => JSON.stringify(value, (key, one) => typeof one === 'bigint' ? 0 : one)
  ?.replace(/made-\w{6}/g, 'made-');
const say = (name, error, value) => console.log(name, error ? error.message : tidy(value));
const calls = [
  ['readFile', 'file', 'utf8'], ['readFile', 'nothing'], ['readFile', 'd'], ['readFile', 'link'],
  ['readFile', 'loop'], ['readFile', 'file/'], ['readFile', 'dangling'],
  ['writeFile', 'new', 'x'], ['readFile', 'new', 'utf8'], ['writeFile', 'd', 'x'],
  ['writeFile', 'nowhere/x', 'x'], ['writeFile', 'link', 'through'], ['readFile', 'file', 'utf8'],
  ['writeFile', 'dangling', 'made'], ['readFile', 'd/target', 'utf8'],
  ['appendFile', 'file', 'more'], ['truncate', 'file', 3], ['readFile', 'file', 'utf8'],
  ['writeFile', 'file', 'x', { flag: 'wx' }], ['writeFile', 'only', 'x', { flag: 'wx' }],
  ['access', 'file'], ['access', 'nothing'], ['chmod', 'file', 0o600], ['chmod', 'nothing', 0o600],
  ['utimes', 'file', 1, 2], ['lutimes', 'link', 1, 2], ['lutimes', 'nothing', 1, 2],
  ['mkdir', 'd/e'], ['mkdir', 'd/e'], ['mkdir', 'd/f/'], ['mkdir', 'p/q/r', { recursive: true }],
  ['mkdir', 'nowhere/x'], ['readdir', 'd'], ['readdir', 'd/'], ['readdir', 'file'],
  ['readdir', '.'],
  ['readdir', 'way'], ['readdir', 'p', { recursive: true }], ['rmdir', 'd/e'], ['rmdir', 'd/f/'],
  ['rmdir', 'file'], ['rmdir', '.'], ['rmdir', 'p'], ['rm', 'p', { recursive: true }],
  ['readlink', 'link'], ['readlink', 'file'], ['readlink', 'way/'], ['rename', 'file', 'moved'],
  ['rename', 'moved', 'file'], ['rename', 'nothing', 'x'], ['rename', 'file', 'nowhere/x'],
  ['link', 'file', 'hard'], ['link', 'file', 'hard'], ['link', 'nothing', 'hard2'],
  ['unlink', 'hard'], ['unlink', 'hard'], ['unlink', 'd'], ['copyFile', 'file', 'copy'],
  ['copyFile', 'file', 'copy'], ['copyFile', 'file', 'copy', 1], ['copyFile', 'nothing', 'x'],
  ['copyFile', 'file', 'nowhere/x'], ['copyFile', 'file', 'file'], ['readFile', 'copy', 'utf8'],
  ['cp', 'd', 'd2', { recursive: true }], ['readdir', 'd2'], ['mkdtemp', 'made-'],
  ['mkdtemp', 'd/made-'], ['mkdtemp', 'nowhere/x'], ['realpath', 'link'],
  ['exists', 'file'], ['exists', 'nothing'],
];
const sizes = ['stat', 'lstat'].flatMap((name) =>
  ['file', 'link', 'way', 'way/', 'd/', 'd/.', 'd/..', 'nothing', 'file/']
    .map((path) => [name, path]));
process.chdir('a');
(async () => {
  for (const [name, ...rest] of calls) {
    if (name === 'exists') {
      say(name, null, fs.existsSync(rest[0]));
      continue;
    }
    await new Promise((resolve) => {
      fs[name](...rest, (error, value) => { say(name, error, value); resolve(); });
    });
    try { say(name + 'Sync', null, fs[name + 'Sync'](...rest)); } catch (error) {
      say(name + 'Sync', error);
    }
    if (name === 'rename') continue;
    await fs.promises[name](...rest).then((value) => say('promise of ' + name, null, value),
      (error) => say('promise of ' + name, error));
  }
  for (const [name, path] of sizes) {
    await new Promise((resolve) => {
      fs[name](path, (error, stat) => {
        say(name + ' ' + path, error, stat && [stat.mode, stat.isDirectory() ? 0 : stat.size]);
        resolve();
      });
    });
  }
  const fd = fs.openSync('file', 'r+');
  fs.closeSync(fd);
  try { fs.closeSync(fd); } catch (error) { say('closed twice', error); }
  try { process.chdir('nowhere'); } catch (error) { say('chdir', error); }
  process.chdir('d');
  console.log(require('path').basename(process.cwd()));
  const server = net.createServer((socket) => socket.end('hello')).listen('socket', () => {
    console.log(server.address(), fs.existsSync('socket'));
    net.connect('socket').on('data', (data) => {
      console.log(String(data));
      server.close(() => console.log(fs.existsSync('socket')));
    });
  });
  // The error is a callback of the loop: it comes after all ticks.
  let ticks = 0;
  const tick = () => { if (++ticks < 30) process.nextTick(tick); };
  process.nextTick(tick);
  net.connect('no-socket').on('error', (error) => console.log(error.message, ticks));
})();
"""


def prepare(folder):
    (folder / "a" / "d").mkdir(parents=True)
    (folder / "a" / "file").write_text("inside")
    (folder / "a" / "link").symlink_to("file")
    (folder / "a" / "way").symlink_to("d")
    (folder / "a" / "loop").symlink_to("loop")
    (folder / "a" / "dangling").symlink_to("d/target")


def run(flags):
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place).resolve()
        prepare(folder)
        found = subprocess.run([phasor, "--no-warnings", *flags, "-e", PROGRAM], cwd=folder,
                               timeout=100, capture_output=True, text=True, check=False,
                               env=dict(os.environ, PHASOR_CHECK_LEAKS="1"))
        names = sorted(re.sub(r"made-\w+", "made-", str(one.relative_to(folder)))
                       for one in folder.rglob("*"))
        text = (found.stdout + found.stderr).replace(str(folder), "")
        return text.splitlines() + names


free = run([])
held = run(["--experimental-permission", "--allow-fs-read=a/*", "--allow-fs-write=a/*"])
differences = [f"{one!r}, without permissions {other!r}" for one, other in zip(held, free)
               if one != other]
if differences or len(held) != len(free) or len(free) < 200:
    sys.exit("\n".join(differences) + f"\n{len(held)} and {len(free)} lines")
