// cp: what it refuses and with which words; filters that answer later.
const fs = require('fs');
const path = require('path');
const os = require('os');
const log = console.log;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cp-'));
process.chdir(folder);
fs.mkdirSync('tree/inner', { recursive: true });
fs.writeFileSync('tree/file', 'text');
fs.writeFileSync('tree/inner/other', 'text');
fs.symlinkSync('file', 'tree/link');
fs.mkdirSync('folder');
fs.writeFileSync('plain', 'text');
fs.symlinkSync('tree', 'way');

function tell(error) {
  log(error.code, '|', error.message.replaceAll(folder, '.'), '|', error.name, error.errno,
    error.syscall, String(error.path).replace(folder, '.'));
}

const once = { force: false, errorOnExist: true };
for (const [from, to, options] of [['tree', 'tree'], ['tree', 'folder'],
  ['tree', 'plain', { recursive: true }], ['plain', 'folder'],
  ['tree', 'tree/inner/deep', { recursive: true }], ['none', 'some'], ['plain', './plain'],
  ['plain', 'new/place'], ['plain', 'new/place', once], ['plain', 'new/place'],
  ['tree', 'copy', { recursive: true, preserveTimestamps: true }],
  ['way', 'copied way'], ['way', 'new/place'],
  ['plain', 'x', { filter: () => Promise.resolve(true) }], ['plain', 'x', { mode: 9 }],
  ['plain', 'x', { dereference: true, verbatimSymlinks: true }]]) {
  try {
    fs.cpSync(from, to, options);
    log(from, to, 'copied');
  } catch (error) {
    tell(error);
  }
}
log(fs.readdirSync('copy', { recursive: true }).sort().join());
log(fs.readlinkSync('copy/link').replace(folder, '.'));
log(fs.statSync('copy/file').mtime.getTime() === fs.statSync('tree/file').mtime.getTime());

fs.cp('tree', 'filtered', { recursive: true, filter: async (name) => !name.endsWith('inner') },
  (error) => {
    log(error, fs.readdirSync('filtered').sort().join());
    const wrong = fs.promises.cp('tree', 'other', () => {}).catch((error) => log(error.code));
    wrong.then(() => fs.promises.cp('tree', 'plain', { recursive: true })).catch(tell).then(() => {
      process.chdir('/');
      fs.rmSync(folder, { recursive: true });
    });
  });
