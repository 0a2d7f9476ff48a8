'use strict';
// What the socket of a session refuses, while it lives and after it; settings that nobody answers.

const http2 = require('http2');

function show(name, work) {
  try {
    const value = work();
    console.log(name, typeof value);
  } catch (error) {
    console.log(name, error.code, error.message);
  }
}

const server = http2.createServer({ maxOutstandingSettings: 2 });
server.on('stream', (stream) => {
  const { socket } = stream.session;
  for (const name of ['destroy', 'emit', 'end', 'pause', 'read', 'resume', 'write', 'setEncoding',
    'setKeepAlive', 'setNoDelay', 'setTimeout', 'ref', 'unref', 'on', 'remotePort']) {
    show(name, () => socket[name]);
    if (name !== 'on' && name !== 'remotePort') show(`${name} =`, () => (socket[name] = () => {}));
  }
  stream.respond();
  stream.end();
});
server.listen(0, () => {
  const client = http2.connect(`http://localhost:${server.address().port}`);
  const { socket } = client;
  const req = client.request().resume();
  req.on('close', () => {
    client.close();
    client.on('close', () => {
      show('get', () => socket.example);
      show('set', () => (socket.example = 1));
      show('in', () => 'example' in socket);
      show('instanceof', () => socket instanceof require('net').Socket);
      tooMany();
    });
  });
});

function tooMany() {
  server.once('session', (session) => {
    session.on('error', (error) => console.log(error.code));
    for (let i = 0; i < 2; i++) {
      session.settings({ enablePush: false });
      console.log(session.pendingSettingsAck, session.destroyed);
    }
  });
  const client = http2.connect(`http://localhost:${server.address().port}`);
  client.on('error', () => {});
  client.on('close', () => server.close());
}
