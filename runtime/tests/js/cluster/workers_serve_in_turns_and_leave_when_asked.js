'use strict';
const cluster = require('cluster');
const http = require('http');

if (process.argv[2] === 'none') cluster.schedulingPolicy = cluster.SCHED_NONE;

function ask(port, done) {
  http.get({ host: '127.0.0.1', port, agent: false }, (res) => {
    let text = '';
    res.on('data', (data) => { text += data; });
    res.on('end', () => done(text));
  });
}

if (cluster.isWorker) {
  console.error(cluster.worker.id > 0, cluster.isPrimary, process.env.NODE_UNIQUE_ID);
  http.createServer((req, res) => res.end(`worker ${cluster.worker.id}`)).listen(0, '127.0.0.1');
  cluster.worker.on('message', (message) => cluster.worker.send(`${message} back`));
} else {
  const seen = [];
  const told = new Set();
  for (const name of ['fork', 'online', 'listening', 'disconnect', 'exit', 'setup']) {
    cluster.on(name, () => told.add(name));
  }
  cluster.setupPrimary({ silent: true });
  for (let i = 0; i < 2; i++) cluster.fork({ EXTRA: 'yes' });
  let listening = 0;
  cluster.on('listening', (worker, { address, port, addressType }) => {
    seen.push([address, port > 0, addressType].join());
    if (++listening < 2) return;
    console.log(seen);
    const answers = new Set();
    let left = 20;
    for (let i = 0; i < 20; i++) {
      ask(port, (text) => {
        answers.add(text);
        if (--left > 0) return;
        console.log([...answers].sort());
        worker.once('message', (message) => {
          console.log(message);
          cluster.disconnect(() => console.log('all have left', Object.keys(cluster.workers)));
        });
        worker.send('there and');
      });
    }
  });
  // A worker's end may be known before that of its channel.
  const ends = [];
  cluster.on('exit', (worker, code, signal) => {
    ends.push([worker.isDead(), worker.exitedAfterDisconnect, code, signal]);
  });
  process.on('exit', () => console.log(ends, [...told].sort()));
}
