'use strict';
// What a client is told of a stream comes in the context of its request; observers hear of sessions
// and streams; custom settings arrive where they are wanted; what was written before destroy() is
// sent.
const http2 = require('http2');
const { AsyncLocalStorage, createHook } = require('async_hooks');
const { PerformanceObserver } = require('perf_hooks');

const entries = [];
new PerformanceObserver((list) => entries.push(...list.getEntries())).observe({ type: 'http2' });
const storage = new AsyncLocalStorage();
const made = [];
createHook({ init(id, type) { if (/HTTP2(PING|SETTINGS)/.test(type)) made.push(type); } }).enable();

const server = http2.createServer({ remoteCustomSettings: [55],
  settings: { customSettings: { 1244: 456 } } });
server.on('stream', (stream, headers) => {
  if (headers[':path'] === '/settings') {
    console.log(stream.session.localSettings.customSettings,
      stream.session.remoteSettings.customSettings);
    stream.pushStream({ ':path': '/first' }, (error, pushed) => pushed.respond(undefined,
      { endStream: true }));
    stream.pushStream({ ':path': '/second' }, (error, pushed) => {
      pushed.on('close', () => console.log('second push', pushed.rstCode));
      pushed.respond();
    });
  }
  stream.respond({ ':status': 200 });
  stream.write('written');
  if (headers[':path'] === '/destroyed') stream.destroy();
  else stream.end();
});

function ask(client, path) {
  const request = client.request({ ':path': path });
  const seen = [];
  const note = (what) => seen.push(`${what} ${storage.getStore()}`);
  request.on('response', () => note('response'));
  request.on('data', (data) => note(`data ${data}`));
  request.on('end', () => note('end'));
  return new Promise((resolve) => request.on('close', () => resolve([...seen, request.rstCode])));
}

function show() {
  const kinds = entries.map(({ name, entryType, detail }) => `${entryType} ${name} ${
    detail.type ?? detail.id} ${detail.streamCount ?? detail.bytesRead} ${
    typeof (detail.framesReceived ?? detail.timeToFirstHeader)}`);
  console.log(kinds.sort());
  console.log(made.sort());
}

server.listen(0, '127.0.0.1', () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`, {
    maxReservedRemoteStreams: 1, remoteCustomSettings: [1244],
    settings: { customSettings: { 55: 12, 155: 144 } } });
  client.on('stream', (stream, headers) => {
    console.log('pushed', headers[':path']);
    stream.resume();
  });
  client.on('connect', async () => {
    const all = await Promise.all([
      storage.run('one', ask, client, '/settings'), storage.run('two', ask, client, '/other')]);
    console.log(all);
    console.log(client.remoteSettings.customSettings,
      client.remoteSettings === client.remoteSettings);
    console.log((await storage.run('three', ask, client, '/destroyed')).slice(0, 1));
    await new Promise((resolve) => client.ping(resolve));
    client.close();
    client.on('close', () => server.close(() => setImmediate(setImmediate, show)));
  });
});
