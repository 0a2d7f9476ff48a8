'use strict';
const fs = require('fs'),
  path = require('path'),
  os = process.cwd();
const dir = fs.mkdtempSync(path.join(os, 'ph-'));
const f = path.join(dir, 'a.txt');
fs.writeFileSync(f, 'héllo');
console.log(
  fs.readFileSync(f, 'utf8'),
  fs.readFileSync(f),
  fs.statSync(f).size,
  fs.statSync(f).isFile(),
  fs.existsSync(f),
  fs.existsSync(f + 'x'),
);
fs.appendFileSync(f, ' world');
console.log(
  fs.readFileSync(f, { encoding: 'utf8' }),
  fs.readFileSync(f, 'hex'),
  fs.readFileSync(f, 'base64'),
);
fs.mkdirSync(path.join(dir, 'x/y/z'), { recursive: true });
fs.writeFileSync(path.join(dir, 'x/b'), '1');
console.log(
  fs.readdirSync(dir),
  fs
    .readdirSync(path.join(dir, 'x'), { withFileTypes: true })
    .map((d) => [d.name, d.isDirectory()]),
  fs.readdirSync(dir, { recursive: true }).sort(),
);
const fd = fs.openSync(f, 'r+');
const b = Buffer.alloc(5);
console.log(fs.readSync(fd, b, 0, 5, 0), b.toString());
fs.writeSync(fd, 'HE', 0);
fs.ftruncateSync(fd, 4);
fs.closeSync(fd);
console.log(fs.readFileSync(f, 'utf8'));
fs.renameSync(f, f + '2');
fs.symlinkSync(f + '2', f + 'l');
console.log(
  path.basename(fs.readlinkSync(f + 'l')),
  fs.lstatSync(f + 'l').isSymbolicLink(),
  path.basename(fs.realpathSync(f + 'l')),
);
try {
  fs.openSync(f);
} catch (e) {
  console.log(e.code, e.syscall, e.message.replace(dir, ''));
}
try {
  fs.renameSync(f, f + '3');
} catch (e) {
  console.log(e.code, e.syscall, e.message.replaceAll(dir, ''), e.dest.replace(dir, ''));
}
fs.copyFileSync(f + '2', f + '4');
fs.chmodSync(f + '4', 0o600);
console.log((fs.statSync(f + '4').mode & 0o777).toString(8));
fs.utimesSync(f + '4', 1, 2);
console.log(
  fs.statSync(f + '4').mtimeMs,
  fs.statSync(f + '4').mtime,
  fs.statSync(f + '4', { bigint: true }).mtimeNs,
);
(async () => {
  const p = fs.promises;
  await p.writeFile(f, 'abc');
  console.log(await p.readFile(f, 'utf8'), (await p.stat(f)).size);
  const h = await p.open(f, 'r');
  console.log((await h.read(Buffer.alloc(2), 0, 2, 1)).bytesRead, (await h.stat()).size);
  await h.close();
  try {
    await p.readFile(f + 'nope');
  } catch (e) {
    console.log(e.code, e.message.replace(dir, ''));
  }
  await p.mkdir(path.join(dir, 'q/r'), { recursive: true });
  await p.rm(path.join(dir, 'q'), { recursive: true });
  console.log(fs.existsSync(path.join(dir, 'q')));
  fs.readFile(f, 'utf8', (e, d) => {
    console.log(e, d);
    fs.stat(f, (e, s) => {
      console.log(e, s.size, Object.keys(s).join());
      fs.writeFile(f, Buffer.from('zz'), (e) => {
        console.log(e, fs.readFileSync(f, 'latin1'));
        fs.access(f + 'no', (e) => {
          console.log(e.code);
          fs.rmSync(dir, { recursive: true });
          console.log(fs.existsSync(dir));
          fs.rmSync(dir, { force: true });
          try {
            fs.readFile(1.5);
          } catch (e) {
            console.log(e.code, e.message);
          }
          try {
            fs.readFileSync({});
          } catch (e) {
            console.log(e.code, e.message);
          }
        });
      });
    });
  });
})();
