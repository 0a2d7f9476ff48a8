'use strict';
// What the runtime itself publishes through diagnostics_channel.
const channels = require('diagnostics_channel');
const http = require('http');
const net = require('net');
const dgram = require('dgram');
const { spawn } = require('child_process');
const { Worker } = require('worker_threads');

const told = [];
const nameOf = (value) => value?.constructor?.name ?? typeof value;
for (const name of ['net.client.socket', 'net.server.socket', 'udp.socket', 'child_process',
  'worker_threads', 'http.client.request.start', 'http.client.response.finish',
  'http.client.request.error', 'http.server.request.start', 'http.server.response.finish']) {
  channels.subscribe(name, (message) => {
    told.push(`${name}: ${Object.entries(message).map(([key, value]) =>
      `${key} ${nameOf(value)}`).join(', ')}`);
  });
}
channels.tracingChannel('net.server.listen').subscribe({
  asyncStart: ({ options }) => told.push(`listen ${options.host}`),
  asyncEnd: () => told.push('listening'),
  error: ({ error }) => told.push(`refused ${error.code}`),
});

const server = http.createServer((req, res) => res.end('x'));
server.listen({ port: 0, host: '127.0.0.1' }, () => {
  const { port } = server.address();
  const second = net.createServer().on('error', () => {});
  second.listen({ port, host: '127.0.0.1' });
  http.get({ port, host: '127.0.0.1', agent: false }, (res) => {
    res.resume();
    res.on('close', () => server.close(rest));
  });
});

function rest() {
  dgram.createSocket('udp4').close();
  new Worker('', { eval: true });
  spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }).on('close', () => {
    http.get({ port: 1, host: '127.0.0.1', agent: false }).on('error', () => {
      setImmediate(() => { for (const line of told) console.log(line); });
    });
  });
}
