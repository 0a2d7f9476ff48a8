'use strict';
// wire.js SEED COUNT: connections whose bytes change on their way. TLS records, handshakes and
// certificates reach the plug-in for TLS, frames that for HTTP/2. Whatever they say is refused or
// taken; nothing breaks, which is for the sanitizers to see.
const tls = require('tls');
const http2 = require('http2');
const { Duplex } = require('stream');
const { ca, server: identity, client } = require('../../runtime/tests/js/tls/keys');

let state = Number(process.argv[2] ?? 1) >>> 0 || 1;
const count = Number(process.argv[3] ?? 100);

function random(below) {
  state ^= state << 13;
  state >>>= 0;
  state ^= state >>> 17;
  state ^= state << 5;
  state >>>= 0;
  return state % below;
}

// Some bytes become others, or go, or come twice.
function changed(bytes, rate) {
  if (random(100) >= rate) return bytes;
  const copy = Buffer.from(bytes);
  const at = random(copy.length || 1);
  switch (random(6)) {
    case 0: copy[at] ^= 1 << random(8); return copy;
    case 1: copy[at] = random(256); return copy;
    case 2: return copy.subarray(0, at);
    case 3: return Buffer.concat([copy.subarray(0, at), copy]);
    case 4: return Buffer.concat([copy, Buffer.from(Array.from({ length: random(40) },
      () => random(256)))]);
    default:
      for (let i = at; i < Math.min(copy.length, at + 8); i++) copy[i] = random(256);
      return copy;
  }
}

// Two streams; bytes are cut and changed between them.
function pair(rate) {
  const ends = [0, 1].map((which) => new Duplex({
    read() {},
    write(chunk, encoding, done) {
      const other = ends[1 - which];
      let bytes = changed(Buffer.from(chunk), rate);
      setImmediate(done);
      while (bytes.length > 0 && !other.destroyed) {
        const size = random(4) === 0 ? 1 + random(bytes.length) : bytes.length;
        other.push(bytes.subarray(0, size));
        bytes = bytes.subarray(size);
      }
    },
    final(done) {
      if (!ends[1 - which].destroyed) ends[1 - which].push(null);
      done();
    },
  }));
  for (const end of ends) end.on('error', () => {});
  return ends;
}

const contexts = ['TLSv1.2', 'TLSv1.3'].map((maxVersion) => [
  tls.createSecureContext({ ...identity, ca, maxVersion }),
  tls.createSecureContext({ ...client, ca, maxVersion }),
]);

function secure(done) {
  const [near, far] = pair(15);
  const [forServer, forClient] = contexts[random(2)];
  const server = new tls.TLSSocket(far, { isServer: true, secureContext: forServer,
    requestCert: true, rejectUnauthorized: false, ALPNProtocols: ['a', 'b'],
    SNICallback: (name, next) => next(null, forServer) });
  const socket = tls.connect({ socket: near, secureContext: forClient, servername: 'localhost',
    rejectUnauthorized: false, ALPNProtocols: ['b', 'c'], checkServerIdentity: () => undefined });
  for (const one of [server, socket]) {
    one.on('error', () => {});
    one.on('data', () => {});
  }
  server.on('secure', () => {
    server.getPeerCertificate(true);
    server.write('hello'.repeat(random(1000)));
  });
  socket.on('secureConnect', () => {
    socket.getPeerCertificate(true);
    socket.getSession();
    socket.end('x'.repeat(random(30000)));
  });
  setTimeout(() => {
    server.destroy();
    socket.destroy();
    done();
  }, 5);
}

function framed(done) {
  const [near, far] = pair(10);
  let session;
  try {
    session = http2.performServerHandshake(far);
  } catch {
    done();
    return;
  }
  session.on('error', () => {});
  session.on('stream', (stream) => {
    stream.on('error', () => {});
    try {
      stream.respond({ 'x-a': 'b'.repeat(random(300)) }, { waitForTrailers: random(2) === 0 });
      stream.end('z'.repeat(random(5000)));
    } catch { /* it is closed already */ }
  });
  const other = http2.connect('http://localhost', { createConnection: () => near });
  other.on('error', () => {});
  for (let i = 0; i < 3; i++) {
    const req = other.request({ ':path': `/${i}`, ':method': random(2) ? 'GET' : 'POST' });
    req.on('error', () => {}).resume();
    req.end(req.writable ? 'body'.repeat(random(100)) : undefined);
  }
  other.ping(() => {});
  setTimeout(() => {
    session.destroy();
    other.destroy();
    done();
  }, 5);
}

function run(left) {
  if (left === 0) return;
  const next = () => run(left - 1);
  if (random(2) === 0) secure(next);
  else framed(next);
}

run(count);
