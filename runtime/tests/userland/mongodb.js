// mongodb over TLS, against an answerer of its protocol in the program: Debian has no MongoDB
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const tls = require('node:tls');
const { MongoClient, ObjectId, BSON } = require('mongodb');

const read = (name) => fs.readFileSync(path.join(process.env.KEYS, name), 'utf8');
const MESSAGE = 2013; // OP_MSG
const QUERY = 2004;
const REPLY = 1;
const items = new Map();

const hello = () => ({ ismaster: true, isWritablePrimary: true, maxBsonObjectSize: 16777216,
  maxMessageSizeBytes: 48000000, maxWriteBatchSize: 100000, minWireVersion: 0, maxWireVersion: 21,
  logicalSessionTimeoutMinutes: 30, connectionId: 1, readOnly: false, localTime: new Date(0) });

const matches = (item, filter) => Object.entries(filter ?? {}).every(([name, wanted]) =>
  (wanted?.$gt !== undefined ? item[name] > wanted.$gt : String(item[name]) === String(wanted)));

const COMMANDS = {
  hello, ismaster: hello, isMaster: hello, ping: () => ({}), endSessions: () => ({}),
  drop: () => ({ n: items.clear() }),
  insert({ documents }) {
    for (const one of documents) {
      if (items.has(String(one._id))) {
        return { n: 0, writeErrors: [{ index: 0, code: 11000, errmsg: 'E11000 duplicate key' }] };
      }
      items.set(String(one._id), one);
    }
    return { n: documents.length };
  },
  find({ find, filter, batchSize = 101 }) {
    const found = [...items.values()].filter((item) => matches(item, filter));
    return { cursor: { firstBatch: found.slice(0, batchSize), ns: `shop.${find}`,
      id: BSON.Long.fromNumber(found.length > batchSize ? batchSize : 0) } };
  },
  getMore({ getMore, collection, batchSize = 1000 }) {
    const from = Number(getMore);
    return { cursor: { nextBatch: [...items.values()].slice(from, from + batchSize),
      ns: `shop.${collection}`,
      id: BSON.Long.fromNumber(from + batchSize < items.size ? from + batchSize : 0) } };
  },
  update({ updates: [{ q, u }] }) {
    const found = [...items.values()].filter((item) => matches(item, q));
    for (const item of found) Object.assign(item, u.$set);
    return { n: found.length, nModified: found.length };
  },
  delete({ deletes: [{ q }] }) {
    const found = [...items.values()].filter((item) => matches(item, q));
    for (const item of found) items.delete(String(item._id));
    return { n: found.length };
  },
};

function answer(command) {
  const name = Object.keys(command)[0];
  const work = COMMANDS[name];
  if (work === undefined) return { ok: 0, errmsg: `no such command: '${name}'`, code: 59 };
  return { ...work(command), ok: 1 };
}

// The sections of an OP_MSG: the command, and lists that belong into it.
function readCommand(message) {
  let command = {};
  for (let at = 20; at < message.length;) {
    const kind = message[at++];
    const length = message.readInt32LE(at);
    if (kind === 0) {
      command = { ...BSON.deserialize(message.subarray(at, at + length)), ...command };
    } else {
      const end = message.indexOf(0, at + 4);
      const list = command[message.toString('utf8', at + 4, end)] = [];
      for (let from = end + 1; from < at + length; from += message.readInt32LE(from)) {
        list.push(BSON.deserialize(message.subarray(from, from + message.readInt32LE(from))));
      }
    }
    at += length;
  }
  return command;
}

function respond(socket, message) {
  const kind = message.readInt32LE(12);
  const head = Buffer.alloc(kind === QUERY ? 36 : 21);
  const body = BSON.serialize(
    kind === QUERY ? { ...hello(), ok: 1 } : answer(readCommand(message)));
  if (kind === QUERY) {
    head.writeInt32LE(8, 16);
    head.writeInt32LE(1, 32);
  }
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(message.readInt32LE(4), 8);
  head.writeInt32LE(kind === QUERY ? REPLY : MESSAGE, 12);
  socket.write(Buffer.concat([head, body]));
}

const server = tls.createServer({ key: read('server.key'), cert: read('server.pem') }, (socket) => {
  let waiting = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= 4 && waiting.length >= waiting.readInt32LE(0)) {
      const length = waiting.readInt32LE(0);
      respond(socket, waiting.subarray(0, length));
      waiting = waiting.subarray(length);
    }
  });
});

async function work(client) {
  const all = client.db('shop').collection('items');
  const id = new ObjectId('0123456789abcdef01234567');
  console.log(await all.insertOne({ _id: id, name: 'é', when: new Date(0), n: 0,
    bytes: Buffer.from([1, 2]), inner: { list: [1, 'two', null] } }));
  console.log(await all.findOne({ _id: id }));
  const many = Array.from({ length: 2000 }, (_, i) => ({ _id: i, n: i + 1, pad: 'x'.repeat(500) }));
  console.log((await all.insertMany(many)).insertedCount);
  let sum = 0;
  for await (const one of all.find({}, { batchSize: 300 })) sum += one.n;
  console.log(sum);
  console.log(await all.updateMany({ n: { $gt: 1990 } }, { $set: { late: true } }));
  console.log((await all.find({ late: true }).project({ n: 1 }).toArray()).length);
  console.log(await all.deleteMany({ late: true }));
  await all.insertOne({ _id: 1 }).catch((error) =>
    console.log(error.name, error.code, error.message));
  await client.db('shop').command({ frobnicate: 1 }).catch((error) =>
    console.log(error.name, error.code, error.message));
  console.log(await all.drop());
}

server.listen(0, '127.0.0.1', async () => {
  const url = `mongodb://127.0.0.1:${server.address().port}/?directConnection=true`;
  const client = new MongoClient(url, { tls: true, ca: read('ca.pem') });
  await client.connect();
  await work(client);
  await client.close();
  const stranger = new MongoClient(url, { tls: true, serverSelectionTimeoutMS: 500 });
  await stranger.connect().catch((error) => console.log(error.name, error.message));
  await stranger.close();
  server.close(() => console.log('end'));
});
