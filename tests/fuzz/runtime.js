'use strict';
// The functions of runtime.c, by the name of a part. Each takes bytes as they would come from
// outside and uses what they made; errors are what is expected, anything else is found by the
// sanitizers.
const { Duplex } = require('stream');

const ignore = () => {};

// A stream that gives the bytes, in pieces of a size that the first of them says, and takes all.
function source(bytes) {
  const size = bytes.length > 0 && bytes[0] % 4 === 0 ? 1 + bytes[0] % 61 : bytes.length;
  const stream = new Duplex({
    read() {},
    write(chunk, encoding, done) { done(); },
  });
  stream.on('error', ignore);
  for (let at = 0; at < bytes.length; at += size) stream.push(bytes.subarray(at, at + size));
  stream.push(null);
  return stream;
}

function later(...ends) {
  setImmediate(() => setImmediate(() => setImmediate(() => {
    for (const end of ends) end.destroy();
  })));
}

function attempt(run) {
  try {
    return run();
  } catch {
    return undefined;
  }
}

const parts = {
  tls() {
    const tls = require('tls');
    const { ca, server: identity, client } = require('../../runtime/tests/js/tls/keys');
    const forServer = tls.createSecureContext({ ...identity, ca });
    const forClient = tls.createSecureContext({ ...client, ca });
    return (bytes) => {
      const stream = source(bytes.subarray(1));
      const socket = bytes[0] % 2 === 0
        ? new tls.TLSSocket(stream, { isServer: true, secureContext: forServer, requestCert: true,
          rejectUnauthorized: false, ALPNProtocols: ['a', 'h2'],
          SNICallback: (name, next) => next(null, forServer) })
        : tls.connect({ socket: stream, secureContext: forClient, servername: 'localhost',
          rejectUnauthorized: false, ALPNProtocols: ['h2'], checkServerIdentity: ignore });
      socket.on('error', ignore).on('data', ignore);
      socket.write('hello');
      later(socket, stream);
    };
  },

  http2() {
    const http2 = require('http2');
    const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
    return (bytes) => {
      const isServer = bytes[0] % 2 === 0;
      const frames = Buffer.concat([...isServer ? [preface] : [], settings, bytes.subarray(1)]);
      const stream = source(frames);
      const session = isServer ? attempt(() => http2.performServerHandshake(stream))
        : http2.connect('http://localhost', { createConnection: () => stream });
      if (session === undefined) return;
      session.on('error', ignore);
      session.on('stream', (one, headers) => {
        one.on('error', ignore).resume();
        attempt(() => {
          one.respond({ 'x-path': String(headers[':path']).slice(0, 50) });
          one.end('body');
        });
      });
      if (!isServer) {
        const request = attempt(() => session.request({ ':path': '/' }));
        request?.on('error', ignore).on('response', ignore).resume().end('x');
      }
      later(session, stream);
    };
  },

  http() {
    const http = require('http');
    const server = http.createServer((request, response) => {
      request.on('error', ignore).resume();
      response.on('error', ignore);
      response.end(request.url);
    });
    server.on('clientError', (error, socket) => socket.destroy());
    server.on('upgrade', (request, socket) => socket.destroy());
    return (bytes) => {
      const stream = source(bytes.subarray(1));
      if (bytes[0] % 2 === 0) {
        server.emit('connection', stream);
      } else {
        http.get({ createConnection: () => stream, agent: false },
          (response) => response.on('error', ignore).resume()).on('error', ignore);
      }
      later(stream);
    };
  },

  deserialize() {
    const v8 = require('v8');
    const { inspect, isDeepStrictEqual } = require('util');
    return (bytes) => {
      const value = attempt(() => v8.deserialize(bytes));
      if (value === undefined) return;
      inspect(value);
      const again = attempt(() => v8.deserialize(v8.serialize(value)));
      isDeepStrictEqual(value, again);
      attempt(() => structuredClone(value));
    };
  },

  certificate() {
    const crypto = require('crypto');
    return (bytes) => {
      const certificate = attempt(() => new crypto.X509Certificate(bytes));
      if (certificate !== undefined) {
        attempt(() => certificate.toLegacyObject());
        for (const name of ['subject', 'issuer', 'subjectAltName', 'infoAccess', 'keyUsage',
          'fingerprint', 'serialNumber', 'validTo']) attempt(() => certificate[name]);
        attempt(() => certificate.checkHost('localhost'));
        attempt(() => certificate.checkIP('127.0.0.1'));
      }
      for (const [format, type] of [['der', 'spki'], ['der', 'pkcs8'], ['pem', 'spki']]) {
        attempt(() => crypto.createPublicKey({ key: bytes, format, type })
          .export({ format: 'jwk' }));
        attempt(() => crypto.createPrivateKey({ key: bytes, format, type, passphrase: 'x' }));
      }
    };
  },

  compressed() {
    const zlib = require('zlib');
    const options = { maxOutputLength: 1 << 20 };
    const ways = ['gunzipSync', 'inflateSync', 'inflateRawSync', 'unzipSync',
      'brotliDecompressSync', 'zstdDecompressSync'].filter((name) => zlib[name] !== undefined);
    return (bytes) => {
      attempt(() => zlib[ways[bytes[0] % ways.length]](bytes.subarray(1), options));
    };
  },

  names() {
    const url = require('url');
    const { TextDecoder } = require('util');
    return (bytes) => {
      const text = Buffer.from(bytes).toString();
      const found = attempt(() => new URL(text, 'http://base/'));
      if (found) attempt(() => new URL(found.href).searchParams.toString());
      attempt(() => url.parse(text));
      attempt(() => url.domainToUnicode(url.domainToASCII(text)));
      attempt(() => new URLSearchParams(text).sort());
      for (const name of ['utf-8', 'utf-16le', 'latin1', 'shift_jis', 'gb18030', 'euc-kr'])
        attempt(() => new TextDecoder(name, { fatal: bytes[0] % 2 === 0 }).decode(bytes));
      for (const name of ['hex', 'base64', 'base64url', 'ucs2', 'ascii'])
        Buffer.from(Buffer.from(bytes).toString(name), name);
    };
  },

  source_map() {
    const { SourceMap } = require('module');
    return (bytes) => {
      const map = attempt(() => new SourceMap(JSON.parse(Buffer.from(bytes).toString())));
      if (map === undefined) return;
      for (const place of [0, 1, 7, 1e9]) {
        attempt(() => map.findEntry(place, place));
        attempt(() => map.findOrigin(place, place));
      }
    };
  },
};

process.on('uncaughtException', (error) => {
  // Of our own code, not of what was sent.
  if (error instanceof TypeError && error.code === undefined) {
    console.error(error);
    process.abort();
  }
});
setFuzzer(parts[process.argv[2]]());
