// A path with a zero opens no other file; bytes that are no UTF-8 reach the system as they are.
const fs = require('fs');
fs.writeFileSync('file', 'x');
fs.mkdirSync('folder');
const told = (name, call) => {
  try {
    console.log(name, call());
  } catch (error) {
    console.log(name, error.name, error.code, error.message.replace(process.cwd(), 'CWD'));
  }
};
const zero = Buffer.from('file\0b');
const url = new URL(`file://${process.cwd()}/file%00b`);
for (const path of [zero, new Uint8Array(zero), url, 'file\0b']) {
  told('readFileSync', () => fs.readFileSync(path, 'utf8'));
  told('openSync', () => fs.openSync(path));
  told('statSync', () => fs.statSync(path));
  told('existsSync', () => fs.existsSync(path));
  told('access', () => fs.access(path, () => {}));
  told('mkdtempSync', () => fs.mkdtempSync(path));
  told('renameSync', () => fs.renameSync('file', path));
  told('watch', () => fs.watch(path));
  told('createReadStream', () => fs.createReadStream(path));
  told('symlinkSync', () => fs.symlinkSync('file', path));
}
console.log(fs.readdirSync('.').sort().join());

const odd = Buffer.from([0x66, 0xff, 0xfe, 0x6f]);
const inside = Buffer.concat([Buffer.from('folder/'), odd]);
fs.writeFileSync(inside, 'odd');
told('buffers', () => fs.readdirSync('folder', { encoding: 'buffer' }));
told('text', () => fs.readdirSync('folder'));
told('hex', () => fs.readdirSync('folder', 'hex'));
told('latin1', () => fs.readdirSync(Buffer.from('folder'), 'latin1'));
told('entries', () => fs.readdirSync('folder', { encoding: 'buffer', withFileTypes: true })
  .map((entry) => [entry.name, entry.isFile()]));
told('read', () => fs.readFileSync(inside, 'utf8'));
told('stat', () => fs.statSync(inside).size);
fs.symlinkSync(odd, 'link');
told('readlink', () => fs.readlinkSync('link', { encoding: 'buffer' }));
told('readlink', () => fs.readlinkSync('link', 'hex'));
told('realpath', () => fs.realpathSync.native(inside, { encoding: 'buffer' }).subarray(-4));
told('mkdtemp', () => fs.mkdtempSync(Buffer.concat([Buffer.from('t'), odd]),
  { encoding: 'buffer' }).subarray(0, 5));
told('copy', () => fs.copyFileSync(inside, Buffer.concat([inside, Buffer.from('2')])));
told('unlink', () => fs.unlinkSync(inside));
told('gone', () => fs.statSync(inside));
const folder = fs.opendirSync('folder', { encoding: 'buffer' });
console.log(folder.readSync().name);
folder.closeSync();
fs.readdir('folder', 'buffer', (error, names) => {
  console.log(error, names);
  fs.readlink('link', 'buffer', (failure, target) => {
    console.log(failure, target);
    fs.promises.readdir('folder', 'buffer').then((found) => {
      console.log(found);
      fs.mkdirSync(Buffer.concat([Buffer.from('a/'), odd, Buffer.from('/c')]), { recursive: true });
      console.log(fs.readdirSync('a', 'buffer'));
    });
  });
});
