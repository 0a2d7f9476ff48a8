// ioredis against Redis, plain and over TLS: pipelines, transactions, scripts, streams, pub/sub
// needs: redis
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { Redis } = require('ioredis');

const read = (name) => fs.readFileSync(path.join(process.env.KEYS, name), 'utf8');
const tls = { ca: read('ca.pem'), cert: read('client.pem'), key: read('client.key') };
const plain = { host: '127.0.0.1', port: Number(process.env.REDIS_PORT), password: 'secret' };
const secure = { ...plain, port: Number(process.env.REDIS_TLS_PORT), tls };

async function commands(redis) {
  await redis.flushall();
  console.log(await redis.set('key', 'é'), await redis.get('key'), await redis.get('none'));
  console.log(await redis.hset('hash', { a: 1, b: 'two' }), await redis.hgetall('hash'));
  console.log(await redis.rpush('list', 1, 2, 3), await redis.lrange('list', 0, -1));
  const bytes = Buffer.from([0, 1, 255, 13, 10]);
  await redis.set('bytes', bytes);
  console.log(await redis.getBuffer('bytes'));
  const pipeline = redis.pipeline();
  for (let i = 0; i < 1000; i++) pipeline.incrby('sum', i);
  console.log((await pipeline.exec()).at(-1));
  console.log(await redis.multi().set('a', 1).incr('a').get('a').exec());
  redis.defineCommand('double', { numberOfKeys: 1, lua: "return redis.call('get', KEYS[1]) * 2" });
  console.log(await redis.double('a'));
  const large = 'x'.repeat(3_000_000);
  await redis.set('large', large);
  console.log((await redis.get('large')) === large);
  await redis.xadd('log', '1-1', 'what', 'began');
  console.log(await redis.xread('STREAMS', 'log', '0'));
  const found = [];
  for (let i = 0; i < 20; i++) await redis.set(`scan:${i}`, i);
  for await (const keys of redis.scanStream({ match: 'scan:*', count: 3 })) found.push(...keys);
  console.log(new Set(found).size);
  await redis.call('lpush', 'key', 1).catch((error) => console.log(error.name, error.message));
}

async function publish(options) {
  const subscriber = new Redis(options);
  const publisher = new Redis(options);
  await subscriber.subscribe('news');
  await subscriber.psubscribe('all*');
  const heard = new Promise((resolve) => {
    const all = [];
    const hear = (...args) => {
      all.push(args);
      if (all.length === 2) resolve(all);
    };
    subscriber.on('message', hear);
    subscriber.on('pmessage', hear);
  });
  await publisher.publish('news', 'one');
  await publisher.publish('all.of.them', 'two');
  console.log(await heard);
  await subscriber.quit();
  await publisher.quit();
}

async function refused() {
  const stranger = new Redis({ ...secure, tls: {}, retryStrategy: null, lazyConnect: true });
  stranger.on('error', (error) => console.log(error.code, error.message));
  await stranger.connect().catch((error) => console.log(error.message));
  const wrong = new Redis({ ...plain, password: 'other', lazyConnect: true, retryStrategy: null });
  wrong.on('error', (error) => console.log(error.message));
  await wrong.connect().catch((error) => console.log(error.message));
  await wrong.get('a').catch((error) => console.log(error.message));
  wrong.disconnect();
}

async function main() {
  for (const options of [plain, secure]) {
    const redis = new Redis(options);
    await commands(redis);
    await redis.quit();
    await publish(options);
  }
  await refused();
  console.log('end');
}
main();
