// @grpc/grpc-js with protobufjs: a server in one process, a client in another
'use strict';
const { fork } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const grpc = require('@grpc/grpc-js');
const { loadSync } = require('@grpc/proto-loader');
const protobuf = require('protobufjs');

const schema = `syntax = "proto3";
package shop;
enum Size { SMALL = 0; LARGE = 1; }
message Item { string name = 1; Size size = 2; repeated sint64 counts = 3;
  map<string, double> prices = 4;
  oneof extra { bytes blob = 5; Item inner = 6; } }
message Total { uint32 n = 1; string text = 2; }
service Shop {
  rpc Echo(Item) returns (Item);
  rpc Sum(stream Item) returns (Total);
  rpc Split(Item) returns (stream Total);
  rpc Talk(stream Total) returns (stream Total);
}
`;
const options = { longs: String, enums: String, defaults: true, oneofs: true };

function load() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rpc-'));
  fs.writeFileSync(path.join(folder, 'shop.proto'), schema);
  try {
    return grpc.loadPackageDefinition(loadSync(path.join(folder, 'shop.proto'), options)).shop;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

function serve() {
  const server = new grpc.Server();
  server.addService(load().Shop.service, {
    Echo(call, callback) {
      const { name } = call.request;
      if (name === 'slow') return;
      if (name === 'bad') {
        const metadata = new grpc.Metadata();
        metadata.set('why', 'because');
        callback({ code: grpc.status.INVALID_ARGUMENT, details: 'bad name', metadata });
        return;
      }
      const trailer = new grpc.Metadata();
      trailer.set('seen', String(call.metadata.get('token')));
      trailer.set('raw-bin', Buffer.from([0, 255]));
      callback(null, call.request, trailer);
    },
    Sum(call, callback) {
      let n = 0;
      call.on('data', ({ counts }) => { n += counts.length; });
      call.on('end', () => callback(null, { n, text: 'items' }));
    },
    Split(call) {
      for (const [i, text] of call.request.name.split('').entries()) call.write({ n: i, text });
      call.end();
    },
    Talk(call) {
      call.on('data', ({ n, text }) => call.write({ n: n + 1, text: text.toUpperCase() }));
      call.on('end', () => call.end());
    },
  });
  server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, port) =>
    process.send(error ? String(error) : port));
  process.on('message', () => server.tryShutdown(() => process.disconnect()));
}

async function streams(client) {
  const total = await new Promise((resolve, reject) => {
    const call = client.Sum((error, value) => (error ? reject(error) : resolve(value)));
    for (let i = 0; i < 200; i++) call.write({ name: 'x'.repeat(i * 10), counts: [i, -i] });
    call.end();
  });
  console.log('sum', total);
  const parts = [];
  for await (const part of client.Split({ name: 'abc' })) parts.push(part);
  console.log('split', parts);
  const talk = client.Talk();
  const heard = [];
  for (let i = 0; i < 3; i++) {
    talk.write({ n: i, text: 'word' });
    heard.push(await new Promise((resolve) => talk.once('data', resolve)));
  }
  talk.end();
  const status = await new Promise((resolve) => talk.once('status', resolve));
  console.log('talk', heard, status.code, status.details);
}

async function ask(port) {
  const client = new (load().Shop)(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  const echo = (item, metadata = new grpc.Metadata(), settings = {}) => new Promise((resolve) => {
    let trailer;
    client.Echo(item, metadata, settings, (error, value) => setImmediate(() => resolve([value,
      error && [error.code, error.details, error.metadata.get('why')], trailer?.getMap()])))
      .on('status', (status) => { trailer = status.metadata; });
  });
  const token = new grpc.Metadata();
  token.set('token', 'secret');
  console.log('echo', ...await echo({ name: 'é', size: 'LARGE', counts: ['-9007199254740993', 5],
    prices: { a: 1.5 }, inner: { name: 'in', blob: Buffer.from('b') } }, token));
  console.log('bad', ...(await echo({ name: 'bad' })).slice(0, 2));
  const [, late] = await echo({ name: 'slow' }, token, { deadline: Date.now() + 50 });
  console.log('late', late[0], late[1].split(' after')[0]);
  const big = await echo({ name: 'y'.repeat(1 << 20) });
  console.log('big', big[0].name.length);
  await streams(client);
  client.close();
}

function alone() {
  const Item = protobuf.parse(schema).root.lookupType('shop.Item');
  const bytes = Item.encode(Item.fromObject({ name: 'x', counts: [1, -1], prices: { y: 0.1 },
    size: 'LARGE' })).finish();
  console.log(bytes.toString('hex'), Item.toObject(Item.decode(bytes), options));
  console.log(Item.verify({ name: 5 }));
  try {
    Item.decode(bytes.subarray(0, 4));
  } catch (error) {
    console.log(error.name, error.message);
  }
}

if (process.argv[2] === 'server') {
  serve();
} else {
  alone();
  const child = fork(__filename, ['server']);
  child.on('message', (port) => ask(port).finally(() => child.send('end')));
  child.on('exit', (code) => console.log('server', code));
}
