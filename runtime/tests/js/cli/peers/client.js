'use strict';
// client.js KEYS PORT https|http2 COUNT [PATH]: asks COUNT times for PATH and a number, with a
// client certificate. Without PATH, tells whether a second connection takes up the first's session.
const https = require('https');
const http2 = require('http2');
const tls = require('tls');

const [, , folder, port, protocol, count, path = '/'] = process.argv;
const keys = require(folder);
const identity = { ca: keys.ca, ...keys.client, host: '127.0.0.1', servername: 'localhost' };
const AT_ONCE = 50;

function isRight(text, status, number) {
  if (status !== 200) return false;
  if (path.endsWith('?')) return text.length > 0;
  return text.includes(`/${number} `) && /SUCCESS|true/.test(text);
}

function collect(stream, done) {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (piece) => { text += piece; });
  stream.on('end', () => done(text));
}

const asks = {
  https() {
    const agent = new https.Agent({ ...identity, keepAlive: true, maxSockets: 8 });
    const ask = (number) => new Promise((resolve, reject) => {
      https.get({ ...identity, port, path: `${path}${number}`, agent }, (response) =>
        collect(response, (text) => resolve(isRight(text, response.statusCode, number))))
        .on('error', reject);
    });
    return { ask, close: () => agent.destroy() };
  },
  http2() {
    const session = http2.connect(`https://localhost:${port}`, identity);
    const ask = (number) => new Promise((resolve, reject) => {
      const stream = session.request({ ':path': `${path}${number}` });
      let status;
      stream.on('response', (headers) => { status = headers[':status']; });
      stream.on('error', reject);
      collect(stream, (text) => resolve(isRight(text, status, number)));
    });
    return { ask, close: () => session.close() };
  },
};

// Whether a second connection takes up the session of the first.
function resumes() {
  const ALPNProtocols = [protocol === 'http2' ? 'h2' : 'http/1.1'];
  return new Promise((resolve, reject) => {
    const first = tls.connect({ ...identity, port, ALPNProtocols }, () => {
      if (protocol === 'https') first.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    });
    first.resume().on('error', reject);
    first.once('session', (session) => {
      first.destroy();
      const second = tls.connect({ ...identity, port, session, ALPNProtocols }, () => {
        resolve(second.isSessionReused());
        second.destroy();
      });
      second.on('error', reject);
    });
  });
}

async function main() {
  const { ask, close } = asks[protocol]();
  let right = 0;
  for (let i = 0; i < count; i += AT_ONCE) {
    const all = await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - i) },
      (_, j) => ask(i + j)));
    right += all.filter(Boolean).length;
  }
  close();
  console.log(JSON.stringify({ right, resumed: path === '/' ? await resumes() : undefined }));
}
main();
