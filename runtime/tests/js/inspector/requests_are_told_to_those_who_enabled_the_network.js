'use strict';
const http = require('http');
const inspector = require('inspector');
const { spawnSync } = require('child_process');

const FLAG = '--experimental-network-inspection';
let port;

function tidy({ method, params }) {
  const text = JSON.stringify(params, (key, value) =>
    (['timestamp', 'wallTime', 'date'].includes(key) ? typeof value : value));
  return `${method} ${text.replaceAll(`:${port}`, ':PORT')}`;
}

function run() {
  const session = new inspector.Session();
  session.connect();
  session.on('inspectorNotification', (message) => console.log(tidy(message)));

  // The program's own requests
  const server = http.createServer((request, response) => {
    response.setHeader('Set-Cookie', ['a=1', 'b=2']);
    response.setHeader('x-more', ['1', '2']);
    response.end('hello');
  }).listen(0, '127.0.0.1', () => {
    port = server.address().port;
    session.post('Network.enable', (error, result) => console.log(error, result));
    const headers = { Cookie: ['k1=v1', 'k2=v2'], age: 5, x: ['1', '2'] };
    http.get({ host: '127.0.0.1', port, path: '/p?q=1', headers }, (response) => {
      console.log('response');
      response.resume();
      response.on('end', () => {
        server.close();
        fail();
      });
    });
  });

  function fail() {
    const request = http.request({ host: '127.0.0.1', port: 1, method: 'POST' });
    request.on('error', (error) => {
      console.log(error.code);
      tellOwn();
    });
    request.end('body');
  }

  // Those that it tells of
  function tellOwn() {
    const { Network } = inspector;
    console.log(Object.keys(Network));
    Network.requestWillBeSent({ requestId: 'own', request: { url: 'u', method: 'GET', more: 1 },
      timestamp: 1, wallTime: 2 });
    Network.responseReceived({ requestId: 'own', timestamp: 1, type: 'Other',
      response: { url: 'u', status: 200, headers: { host: 'h' } } });
    Network.loadingFinished({ requestId: 7, timestamp: 'now', more: 1 });
    Network.loadingFailed({ requestId: 'own', timestamp: 1 });
    try {
      Network.loadingFailed('own');
    } catch (error) {
      console.log(error.message);
    }
    session.post('Network.disable', (error, result) => console.log(error, result));
    Network.loadingFinished({ requestId: 'own', timestamp: 1 });
    session.disconnect();
  }
}

if (process.execArgv.includes(FLAG)) {
  run();
} else {
  console.log(String(spawnSync(process.execPath, [FLAG, __filename]).stdout));
  run(); // the same, of which nobody is told
}
