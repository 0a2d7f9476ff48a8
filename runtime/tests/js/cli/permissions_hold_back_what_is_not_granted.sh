# --experimental-permission: what is refused, in which form, and what process.permission says.
program=$1
here=$PWD
on='--no-warnings --experimental-permission'
mkdir open shut shut/folder
echo text >open/file
echo text >shut/file
cat >open/files.js <<'END'
const fs = require('fs');
const { pathToFileURL } = require('url');
const shut = `${process.cwd()}/shut/file`;
const tell = (name, error) => console.log(name, error?.code, error?.permission,
  String(error?.resource).replace(process.cwd(), 'CWD').slice(0, 40));
const attempt = (name, call) => {
  try {
    console.log(name, 'gave', typeof call());
  } catch (error) {
    tell(name, error);
  }
};
const ARGUMENTS = { chmod: [0o600], chown: [0, 0], lchown: [0, 0], copyFile: [`${shut}2`],
  link: [`${shut}2`], lutimes: [0, 0], utimes: [0, 0], rename: [`${shut}2`], symlink: [`${shut}2`],
  writeFile: ['x'], appendFile: ['x'], truncate: [0], cp: [`${shut}2`] };
const NAMES = ['access', 'chmod', 'chown', 'copyFile', 'lchown', 'link', 'lstat', 'lutimes',
  'mkdir', 'mkdtemp', 'open', 'opendir', 'readdir', 'readFile', 'readlink', 'rename', 'rmdir',
  'stat', 'statfs', 'symlink', 'truncate', 'unlink', 'utimes', 'writeFile', 'appendFile', 'cp'];
for (const name of NAMES)
  attempt(`${name}Sync`, () => fs[`${name}Sync`](shut, ...ARGUMENTS[name] ?? []));
attempt('relative', () => fs.readFileSync('open/../shut/file'));
attempt('bytes', () => fs.readFileSync(Buffer.from(shut)));
attempt('array', () => fs.readFileSync(new TextEncoder().encode(shut)));
attempt('address', () => fs.readFileSync(pathToFileURL(shut)));
attempt('exists', () => fs.existsSync(shut));
attempt('folders', () => fs.mkdirSync(`${shut}/a/b`, { recursive: true }));
attempt('rm', () => fs.rmSync(`${shut}/a/b`, { recursive: true, force: true }));
attempt('native realpath', () => fs.realpathSync.native(shut));
attempt('watch', () => fs.watch(shut));
attempt('watchFile', () => fs.watchFile(shut, () => {}));
attempt('chdir', () => process.chdir('shut'));
attempt('written to', () => fs.writeFileSync('open/file', 'x'));
attempt('opened to write', () => fs.openSync('open/file', 'r+'));
attempt('opened and made', () => fs.openSync('open/new', fs.constants.O_CREAT));
attempt('appended to', () => fs.openSync('open/file', fs.constants.O_APPEND));
attempt('read', () => fs.readFileSync('open/file'));
const fd = fs.openSync('open/file');
attempt('fchmod', () => fs.fchmodSync(fd, 0o600));
attempt('fchown', () => fs.fchownSync(fd, 0, 0));
attempt('futimes', () => fs.futimesSync(fd, 0, 0));
attempt('child', () => require('child_process').spawnSync('true'));
attempt('children', () => require('child_process').spawn('true'));
attempt('worker', () => new (require('worker_threads').Worker)('', { eval: true }));
attempt('hooks', () => require('module').register('data:text/javascript,'));
attempt('inspector', () => require('inspector').open(0));
attempt('binding', () => process.binding('fs'));
attempt('addon', () => process.dlopen({ exports: {} }, 'x.node'));
attempt('module that is not there', () => require('./missing'));
attempt('module', () => require('../shut/module.js'));
(async () => {
  for (const name of NAMES.filter((one) => !/^l?chown$|^link$/.test(one))) {
    await fs.promises[name](shut, ...ARGUMENTS[name] ?? [])
      .then(() => console.log('done'), (error) => tell(`promised ${name}`, error));
  }
  for (const name of NAMES) {
    try {
      await new Promise((resolve) => {
        const done = (error) => resolve(tell(`${name} calls back`, error));
        fs[name](shut, ...ARGUMENTS[name] ?? [], done);
      });
    } catch (error) {
      tell(`${name} throws`, error);
    }
  }
  fs.exists(shut, (isThere) => console.log('exists calls back', isThere));
})();
END
echo 'module.exports = 1' >shut/module.js
"$program" $on --allow-fs-read="$here/open" open/files.js
echo "status $?"

has='const p = process.permission; console.log(p.has("fs"), p.has("fs.read"), p.has("fs.write"),
  p.has("fs.read", "open/file"), p.has("fs.read", "shut"), p.has("fs.write", "open"),
  p.has("child"), p.has("worker"), p.has("wasi"), p.has("inspector"), p.has("FileSystemRead"))'
"$program" --experimental-permission -e "$has"
"$program" $on --allow-fs-read=* -e "$has"
"$program" $on --allow-fs-read=open/* --allow-fs-write=./open -e "$has"
"$program" $on --allow-fs-read=op* -e "$has"
"$program" $on --allow-fs-read=open/fil*x -e "$has"
"$program" --experimental-permission --allow-child-process --allow-worker -e "$has"
"$program" --experimental-permission --allow-fs-read=/a,/b -e "$has"
NODE_OPTIONS='--experimental-permission --allow-fs-read=*' "$program" --no-warnings -e "$has"
"$program" -p 'process.permission'
"$program" --allow-fs-read=/x -p 1 2>/dev/null || echo "status $?"
"$program" --experimental-permission --allow-fs-read= -p 1 2>/dev/null || echo "status $?"
"$program" $on open/files.js 2>/dev/null || echo "status $?"
"$program" $on --inspect-brk=0 -e 1 2>/dev/null || echo "status $?"
