'use strict';
const dns = require('dns');
const { answer, start } = require('./lib/server');

start((query, { name }) => (name === 'known.example'
  ? answer(query, [{ type: 'A', data: '1.2.3.4' }]) : undefined), (server) => {
  const first = new dns.Resolver();
  const second = new dns.Resolver();
  first.setServers([server.address]);
  second.setServers([server.address]);
  let left = 4;
  const end = () => {
    if (--left === 0) server.close();
  };
  const told = (which) => (error, found) => {
    console.log(which, error ? [error.message, error.code, error.syscall] : found);
    end();
  };
  first.resolve4('silent.example', (error) => {
    console.log('first', error.code);
    // In a callback of the same resolver: the next query is not touched by what was cancelled.
    first.resolve4('known.example', told('again'));
    end();
  });
  first.reverse('192.0.2.1', told('reverse'));
  second.resolve4('known.example', told('second'));
  try {
    first.setServers(['127.0.0.1']);
  } catch (error) {
    console.log(error.code, error.message.replace(/ \[.*/, ''));
  }
  setImmediate(() => {
    first.cancel();
    first.cancel();
    console.log('cancelled');
  });
});
