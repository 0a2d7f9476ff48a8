// Writes down what a program can tell of its process, its world and its hosts, into the file that
// is named by its argument and the seed.
'use strict';
const fs = require('fs');
const sim = require('phasor:sim');

function look(require) {
  const { env, pid, argv, execArgv } = process;
  return [
    Date.now(), performance.now(), performance.timeOrigin, process.uptime(), process.hrtime(),
    Math.random(), require('crypto').randomBytes(8).toString('hex'), require('os').hostname(),
    pid, argv.length, execArgv.length, env.PHASOR_SIM_HOST, env.PHASOR_SIM_PREPARE,
    env.PYTHONHASHSEED, require('worker_threads').threadId, require('fs').openSync('/dev/null'),
  ].join(' ');
}

function client(source) {
  const { parentPort } = require('worker_threads');
  const look = eval(`(${source})`);
  parentPort.postMessage(look(require));
  let left = 3;
  function ask() {
    require('http').get({ host: 'server', agent: false }, (response) => {
      response.on('data', (data) => parentPort.postMessage(String(data)));
    }).on('error', (error) => parentPort.postMessage(error.code))
      .on('close', () => (--left > 0 ? ask() : process.exit(0)));
  }
  setTimeout(ask, 100);
}

const lines = [look(require)];
sim.host('server', () => {
  require('http').createServer((request, response) => {
    setTimeout(() => response.end(`${Math.random()}`), Math.random() * 20);
  }).listen(80);
});
let left = 0;
for (const name of ['one', 'two', 'three', 'four']) {
  left++;
  const host = sim.host(name, client, String(look));
  host.on('message', (text) => lines.push(`${sim.now()} ${name}: ${text}`));
  host.on('exit', () => {
    if (--left > 0) return;
    fs.writeFileSync(`${process.argv[2]}.${sim.seed}`, `${lines.join('\n')}\n`);
    process.exit(0);
  });
}
