'use strict';
// Heads of ordinary fields take another way than those with lists, capitals or secrets.
const http2 = require('http2');

const { sensitiveHeaders } = http2;

const shown = (headers) => Object.keys(headers).sort()
  .filter((name) => !['date', ':authority'].includes(name))
  .map((name) => `${name}=${JSON.stringify(headers[name])}`).join(' ');
const names = (raw) => raw.filter((_, i) => i % 2 === 0).join(' ');

const ANSWERS = {
  '/plain': { 'x-a': 'one', 'x-number': 5, 'x-float': 1.5, 'content-type': 'text/plain' },
  '/none': undefined,
  '/left-out': { 'x-undefined': undefined, 'x-b': 'two', '7': 'seven' },
  '/status': { ':status': 404, 'x-c': 'three' },
  '/status-text': { ':status': '201', 'x-c': 'three' },
  '/list': { 'x-list': ['a', 'b'], 'x-one': ['alone'], 'x-empty': [] },
  '/cookies': { 'set-cookie': ['a=1', 'b=2'] },
  '/cookie': { 'set-cookie': 'a=1' },
  '/capitals': { 'X-Upper': 'up' },
  '/boolean': { 'x-true': true, 'x-null': null, 'x-text': { toString: () => 'made' } },
  '/latin1': { 'x-latin1': 'caf\u00e9' },
  '/secret': { 'x-key': 'k', 'x-plain': 'p', [sensitiveHeaders]: ['X-Key'] },
  '/no-secret': { 'x-plain': 'p', [sensitiveHeaders]: [] },
  '/many': Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`x-${i}`, `${i}`])),
};
const WRONG = {
  connection: { connection: 'close' },
  te: { te: 'gzip' },
  twice: { 'Age': '1', 'age': '2' },
  single: { age: ['1', '2'] },
  pseudo: { ':path': '/' },
  name: { 'a b': '1' },
  secret: { [sensitiveHeaders]: 'no list' },
};

const server = http2.createServer();
server.on('stream', (stream, headers, flags, raw) => {
  const path = headers[':path'];
  console.log('asked', shown(headers), '|', names(raw).includes(':path'),
    headers[sensitiveHeaders], Object.getPrototypeOf(headers));
  if (path === '/wrong') {
    for (const name of Object.keys(WRONG)) {
      try {
        stream.respond(WRONG[name]);
        console.log(name, 'is taken');
      } catch (error) {
        console.log(name, error.code ?? error.name);
      }
    }
  }
  stream.respond(ANSWERS[path], { waitForTrailers: path === '/plain' });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'x-trailer': 'last', 'x-two': [1, 2] }));
  stream.setDefaultEncoding('latin1');
  stream.write('caf\u00e9 ');
  stream.write('\u20ac', 'utf8');
  stream.write('', 'utf8');
  stream.end(Buffer.from('.'));
});

const ASKED = {
  '/plain': { 'x-a': 'one', 'accept': '*/*' },
  '/list': { cookie: ['a=1', 'b=2'], 'x-list': ['a', 'b'] },
  '/secret': { authorization: 'secret', [sensitiveHeaders]: ['authorization'] },
  '/capitals': { 'X-Upper': 'up', ':method': 'POST' },
};

async function ask(session, path) {
  await new Promise((resolve) => {
    const request = session.request({ ':path': path, ...ASKED[path],
      ...(ASKED[path]?.[sensitiveHeaders] && {
        [sensitiveHeaders]: ASKED[path][sensitiveHeaders] }) });
    let body = '';
    request.on('response', (headers, flags, raw) => {
      console.log('answered', path, shown(headers), '|', names(raw).replace(/x-\d+ /g, ''),
        headers[sensitiveHeaders], typeof headers[':status']);
    });
    request.on('trailers', (trailers, flags, raw) =>
      console.log('trailers', shown(trailers), raw));
    request.on('data', (bytes) => { body += bytes.toString('hex'); });
    request.on('close', () => {
      console.log('body', body, request.rstCode);
      resolve();
    });
    request.end();
  });
}

server.listen(0, '127.0.0.1', async () => {
  const session = http2.connect(`http://127.0.0.1:${server.address().port}`);
  for (const path of [...Object.keys(ANSWERS), '/wrong']) await ask(session, path);
  session.close();
  server.close();
});
