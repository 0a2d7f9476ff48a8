'use strict';
// A host writes some things and syncs some of them; then its power goes.
const sim = require('phasor:sim');
const fs = require('fs');
fs.mkdirSync('disk');
process.chdir('disk');
fs.writeFileSync('old', 'before');
fs.writeFileSync('gone', 'still here');
const host = sim.host('writer', () => {
  const fs = require('fs');
  const write = (name, text, sync) => {
    const fd = fs.openSync(name, 'w');
    fs.writeSync(fd, text);
    if (sync) fs.fsyncSync(fd);
    return fd;
  };
  write('synced', 'kept', true);
  write('unsynced', 'lost', false);
  const half = write('half', 'first.', true);
  fs.writeSync(half, 'second.');
  write('old', 'after', false);
  fs.renameSync('synced', 'moved');
  write('folder-synced', 'x', true);
  fs.renameSync('folder-synced', 'lasting');
  const folder = fs.openSync('.', 'r');
  fs.fsyncSync(folder);
  fs.unlinkSync('gone');
  fs.renameSync('moved', 'late');
  require('phasor:sim').publish('written', (require('phasor:sim').published('written') ?? 0) + 1);
  setInterval(() => {}, 1000);
});
sim.until(() => sim.published('written') === 1).then(async () => {
  await host.crash();
  for (const name of fs.readdirSync('.').sort()) {
    console.log(name, `${fs.readFileSync(name, 'utf8')}.`);
  }
  host.restart();
  await sim.until(() => sim.published('written') === 2);
  console.log('again', fs.readFileSync('half', 'utf8'), host.up);
  await host.stop();
});
