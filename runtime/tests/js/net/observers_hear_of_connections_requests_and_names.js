'use strict';
// Entries of the types net, http and dns.
const { PerformanceObserver } = require('perf_hooks');
const http = require('http');
const net = require('net');
const dns = require('dns');

const seen = [];
const observer = new PerformanceObserver((list) => seen.push(...list.getEntries()));
observer.observe({ entryTypes: ['net', 'http', 'dns'] });

// The list of hosts may name an address twice.
function unique(addresses) {
  const texts = new Set(addresses.map((address) => JSON.stringify(address)));
  return [...texts].map((text) => JSON.parse(text));
}

function show(port) {
  for (const { name, entryType, detail, duration, startTime, constructor } of seen) {
    if (detail.res) delete detail.res.headers.date;
    if (detail.addresses) detail.addresses = unique(detail.addresses);
    if (detail.service) detail.service = typeof detail.service;
    console.log(constructor.name, entryType, name, duration > 0, startTime > 0,
      JSON.stringify(detail).replaceAll(`${port}`, 'PORT'));
  }
}

const server = http.createServer((request, response) => {
  response.setHeader('x', 'y');
  response.end('hello');
}).listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const options = { port, host: '127.0.0.1', path: '/p?q', headers: { a: 'b' }, agent: false };
  await new Promise((resolve) => http.get(options, (response) => {
    response.resume().on('end', resolve);
  }));
  await new Promise((resolve) => {
    const socket = net.connect({ port, host: 'localhost', family: 4 }, () => {
      socket.destroy();
      resolve();
    });
  });
  await new Promise((resolve) => dns.lookup('localhost', { family: 4 }, resolve));
  await dns.promises.lookup('localhost', { all: true, family: 4 });
  await new Promise((resolve) => dns.lookupService('127.0.0.1', 80, resolve));
  server.close();
  setTimeout(() => {
    observer.disconnect();
    show(port);
    net.connect(1, '127.0.0.1').on('error', () => setImmediate(() => console.log(seen.length)));
  }, 20);
});
