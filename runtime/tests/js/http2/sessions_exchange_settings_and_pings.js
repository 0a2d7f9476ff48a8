'use strict';
const http2 = require('http2');

const server = http2.createServer({
  settings: { maxConcurrentStreams: 7, initialWindowSize: 1000 } });
server.on('session', (session) => {
  session.on('ping', (payload) => console.log('server ping', payload.toString()));
  session.on('goaway', (code, last, data) => console.log('goaway', code, last, `${data}`));
});
server.on('stream', (stream) => {
  stream.respond();
  stream.write('x'.repeat(5000)); // more than the window of the session's first settings
  stream.end('y');
});

server.listen(0, () => {
  const client = http2.connect(`http://localhost:${server.address().port}`);
  client.on('remoteSettings', ({ maxConcurrentStreams, initialWindowSize }) => {
    console.log('remote', maxConcurrentStreams, initialWindowSize);
    client.ping(Buffer.from('12345678'), (error, duration, payload) => {
      console.log('ping', error, duration >= 0, payload.toString());
      client.settings({ enablePush: false, initialWindowSize: 100 }, () => {
        console.log('acknowledged', client.localSettings.enablePush,
          client.localSettings.initialWindowSize);
        const req = client.request();
        let size = 0;
        req.on('data', (chunk) => { size += chunk.length; });
        req.on('end', () => {
          console.log('read', size);
          client.goaway(http2.constants.NGHTTP2_NO_ERROR, 0, Buffer.from('bye'));
          setImmediate(() => client.close(() => server.close(() => console.log('closed'))));
        });
      });
    });
  });
  console.log(http2.getPackedSettings({ enablePush: false }).toString('hex'),
    http2.getUnpackedSettings(Buffer.from('000500100000', 'hex')));
});
