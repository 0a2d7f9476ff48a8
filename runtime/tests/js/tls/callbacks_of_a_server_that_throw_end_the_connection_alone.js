'use strict';
// Whatever a callback of a server throws or gives, the client's connection ends, the server hears
// why, and the next client is served.
const tls = require('tls');
const { ca, server: identity } = require('./keys');

const fail = () => { throw new Error('thrown'); };
const context = () => tls.createSecureContext(identity);
const fake = new Proxy({}, { get: fail });
let raw;

const cases = {
  'SNICallback throws': { SNICallback: fail },
  'SNICallback throws a string': { SNICallback() { throw 'text'; } },
  'SNICallback throws null': { SNICallback() { throw null; } },
  'SNICallback throws after its answer': {
    SNICallback(name, done) { done(null, context()); fail(); } },
  'SNICallback answers twice': {
    SNICallback(name, done) { done(null, context()); done(null, context()); } },
  'SNICallback answers with an object': { SNICallback(name, done) { done(null, {}); } },
  'SNICallback answers with a context of lies': {
    SNICallback(name, done) { done(null, { context: {} }); } },
  'SNICallback answers with a proxy': { SNICallback(name, done) { done(null, fake); } },
  'SNICallback answers with a number': { SNICallback(name, done) { done(null, 5); } },
  'SNICallback answers later with an error': {
    SNICallback(name, done) { setImmediate(done, new Error('later')); } },
  'SNICallback answers for a closed connection': {
    SNICallback(name, done) { raw.destroy(); setImmediate(done, null, context()); } },
  'ALPNCallback throws': { ALPNCallback: fail },
  'ALPNCallback throws undefined': { ALPNCallback() { throw undefined; } },
  'ALPNCallback gives what nobody offered': { ALPNCallback: () => 'c' },
  'ALPNCallback gives null': { ALPNCallback: () => null },
  'ALPNCallback gives a promise': { ALPNCallback: async () => 'a' },
  'ALPNCallback gives an object that throws': { ALPNCallback: () => ({ toString: fail }) },
  'ALPNCallback throws after a late context': {
    SNICallback(name, done) { setImmediate(done, null, context()); }, ALPNCallback: fail },
  'ALPNCallback closes the connection': { ALPNCallback() { raw.destroy(); return 'a'; } },
};

function connect(server, options) {
  return new Promise((resolve) => {
    const socket = tls.connect({ port: server.address().port, ca, servername: 'localhost',
      ALPNProtocols: ['a', 'b'], ...options });
    socket.on('secureConnect', () => console.log('  client: secure'));
    socket.on('error', (error) => console.log('  client:', error.code));
    socket.on('close', resolve).resume();
  });
}

async function run(name, options, secure = identity, peer = {}, listeners = {}) {
  console.log(name);
  const server = tls.createServer({ ...secure, ...options }, (socket) => socket.end());
  const told = new Promise((resolve) => {
    server.on('secureConnection', resolve);
    server.on('tlsClientError', (error) => {
      console.log('  server:', error?.message?.replace(/:.*:/, ':') ?? error);
      resolve();
    });
  });
  server.on('connection', (socket) => { raw = socket; });
  for (const event of Object.keys(listeners)) server.on(event, listeners[event]);
  await new Promise((resolve) => { server.listen(0, resolve); });
  await Promise.all([told, connect(server, peer)]);
  await new Promise((resolve) => { server.close(resolve); });
}

process.on('uncaughtException', (error) => console.log('uncaught:', error));

(async () => {
  for (const name of Object.keys(cases)) await run(name, cases[name]);
  const psk = { ciphers: 'PSK+HIGH', maxVersion: 'TLSv1.2' };
  const key = { ...psk, checkServerIdentity() {},
    pskCallback: () => ({ psk: Buffer.alloc(8), identity: 'me' }) };
  const quiet = (client) => ({ ...client, ALPNProtocols: undefined });
  for (const [name, pskCallback] of [['throws', fail], ['gives a number', () => 5],
    ['gives text', () => ({ psk: 'abc' })]]) {
    await runPsk(`pskCallback ${name}`, { pskCallback }, psk, quiet(key));
  }
  await run('an OCSPRequest is answered with an error', {}, identity, { requestOCSP: true },
    { OCSPRequest: (certificate, issuer, done) => done(new Error('no')) });
  await run('an OCSPRequest is answered twice', {}, identity, { requestOCSP: true },
    { OCSPRequest(certificate, issuer, done) { done(null, null); done(null, null); } });
})();

// Whether the client hears of it by an alert is not compared.
async function runPsk(name, options, secure, peer) {
  console.log(name);
  const server = tls.createServer({ ...secure, ...options });
  const told = new Promise((resolve) => {
    server.on('tlsClientError', (error) => { console.log('  server:', error.message); resolve(); });
  });
  await new Promise((resolve) => { server.listen(0, resolve); });
  const client = tls.connect({ ...peer, port: server.address().port, servername: 'localhost' });
  const closed = new Promise((resolve) => { client.on('close', resolve); });
  client.on('error', () => {});
  await Promise.all([told, closed]);
  await new Promise((resolve) => { server.close(resolve); });
}
