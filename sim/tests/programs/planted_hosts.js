'use strict';
// Two hosts write files; the test fails when the second one can't.
const sim = require('phasor:sim');
function write(name) {
  const fs = require('fs');
  const { publish } = require('phasor:sim');
  let left = 20;
  function next(error) {
    if (error && name === 'second') publish('failed', error.code);
    if (left-- > 0) fs.writeFile(`file-${name}`, 'text', next);
    else publish(name, true);
  }
  setTimeout(next, 10);
}
const hosts = ['first', 'second'].map((name) => sim.host(name, write, name));
sim.check(() => { if (sim.published('failed')) sim.fail('the second host could not write'); });
sim.until(() => sim.published('first') && sim.published('second')).then(() => {
  for (const host of hosts) host.stop();
  process.exit(0);
});
