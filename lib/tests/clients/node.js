// Node at work: servers, children, files, timers, signals, watching, names, threads.
'use strict';
const assert = require('assert');
const child = require('child_process');
const crypto = require('crypto');
const dgram = require('dgram');
const dns = require('dns');
const fs = require('fs');
const http = require('http');
const net = require('net');
const os = require('os');
const path = require('path');
const stream = require('stream/promises');
const worker = require('worker_threads');
const zlib = require('zlib');
const { once } = require('events');

const sha = (data) => crypto.createHash('sha256').update(data).digest('hex').slice(0, 16);
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

if (!worker.isMainThread) {
  const { shared, index } = worker.workerData;
  for (let i = 0; i < 1000; i++) Atomics.add(new Int32Array(shared), 0, 1);
  setTimeout(() => {
    fs.promises.readFile(__filename).then((data) =>
      worker.parentPort.postMessage({ index, ok: data.length > 0 }));
  }, 5);
  return;
}
if (process.argv[2] === 'ipc') {
  process.on('message', (m) => {
    process.send({ answer: m.n * m.n });
    if (m.last) process.disconnect();
  });
  return;
}

async function timers() {
  const order = [];
  await new Promise((done) => {
    setTimeout(() => order.push('timeout 30'), 30);
    setTimeout(() => order.push('timeout 1'), 1);
    setTimeout(() => { order.push('timeout 60'); done(); }, 60);
    setImmediate(() => order.push('immediate'));
    process.nextTick(() => order.push('tick'));
    Promise.resolve().then(() => order.push('promise'));
  });
  const begin = process.hrtime.bigint();
  await sleep(50);
  assert(process.hrtime.bigint() - begin >= 49000000n);
  let rounds = 0;
  await new Promise((done) => {
    const id = setInterval(() => { if (++rounds === 5) { clearInterval(id); done(); } }, 3);
  });
  const sorted = order.filter((o) => o.startsWith('timeout'));
  return [order.slice(0, 2).join(), sorted.join(), order.includes('immediate'), rounds];
}

async function httpRequests() {
  const server = http.createServer((request, response) => {
    const parts = [];
    request.on('data', (data) => parts.push(data));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      response.setHeader('x-length', body.length);
      const padding = 'y'.repeat(body.length % 977);
      response.end(`${request.method} ${request.url} ${sha(body)} ${padding}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  const agent = new http.Agent({ keepAlive: true, maxSockets: 20 });
  let sockets = 0;
  server.on('connection', () => sockets++);
  const ask = (i) => new Promise((done, fail) => {
    const body = Buffer.alloc((i * 7919) % 50021, i & 255);
    const request = http.request({ agent, port, host: '127.0.0.1', method: 'POST', path: `/${i}` },
      (response) => {
        const parts = [];
        response.on('data', (data) => parts.push(data));
        response.on('end', () => done(Buffer.concat(parts).toString()));
      });
    request.on('error', fail);
    request.end(body);
  });
  const answers = await Promise.all(Array.from({ length: 1000 }, (_, i) => ask(i)));
  agent.destroy();
  server.close();
  await once(server, 'close');
  return [answers.length, sha(answers.join('\n')), sockets <= 40];
}

async function sockets() {
  const file = path.join(os.tmpdir(), `phasor-${process.pid}.sock`);
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    let total = 0;
    socket.on('data', (data) => { total += data.length; });
    socket.on('end', () => socket.end(`got ${total}`));
  });
  server.listen(file);
  await once(server, 'listening');
  const client = net.connect(file);
  for (let i = 0; i < 64; i++) client.write(Buffer.alloc(65536, i));
  client.end();
  let answer = '';
  for await (const data of client) answer += data;
  server.close();
  await once(server, 'close');
  const refused = await new Promise((done) => net.connect(1, '127.0.0.1').on('error', done));
  const a = dgram.createSocket('udp4');
  a.on('message', (m, from) => a.send(`echo ${m}`, from.port, from.address));
  a.bind(0, '127.0.0.1');
  await once(a, 'listening');
  const b = dgram.createSocket('udp4');
  b.send('datagram', a.address().port, '127.0.0.1');
  const [message] = await once(b, 'message');
  a.close();
  b.close();
  return [answer, refused.code, String(message), fs.existsSync(file)];
}

async function children() {
  const results = [];
  const cat = child.spawn('cat');
  let out = '';
  cat.stdout.on('data', (data) => { out += data; });
  cat.stdin.end('x'.repeat(300000));
  const [catCode] = await once(cat, 'close');
  results.push([out.length, catCode]);
  const failing = child.spawn('sh', ['-c', 'echo to-stderr >&2; exit 7']);
  let err = '';
  failing.stderr.on('data', (data) => { err += data; });
  results.push([(await once(failing, 'close'))[0], err.trim()]);
  const sleeper = child.spawn('sleep', ['100']);
  sleeper.kill('SIGTERM');
  results.push(await once(sleeper, 'exit'));
  const missing = child.spawn('/no/such/program');
  results.push((await once(missing, 'error'))[0].code);
  const forked = child.fork(__filename, ['ipc']);
  const answers = [];
  forked.on('message', (m) => answers.push(m.answer));
  for (let n = 1; n <= 5; n++) forked.send({ n, last: n === 5 });
  results.push([(await once(forked, 'exit'))[0], answers]);
  results.push(child.execFileSync('sh', ['-c', 'echo $0 $1; pwd', 'a', 'b'], { cwd: '/' })
    .toString().trim());
  const many = await Promise.all(Array.from({ length: 40 }, (_, i) => new Promise((done) =>
    child.execFile('sh', ['-c', `exit ${i}`], (e) => done(e ? e.code : 0)))));
  results.push(many.reduce((a, b) => a + b));
  results.push(child.spawnSync('cat', { input: 'sync' }).stdout.toString());
  return results;
}

async function files() {
  const top = fs.mkdtempSync(path.join(os.tmpdir(), 'phasor-node-'));
  const work = [];
  for (let i = 0; i < 200; i++) {
    const folder = path.join(top, `d${i % 10}`, `e${i % 3}`);
    work.push(fs.promises.mkdir(folder, { recursive: true })
      .then(() => fs.promises.writeFile(path.join(folder, `f${i}`), 'z'.repeat(i))));
  }
  await Promise.all(work);
  let count = 0, bytes = 0;
  const walk = async (folder) => {
    for await (const entry of await fs.promises.opendir(folder)) {
      const name = path.join(folder, entry.name);
      if (entry.isDirectory()) await walk(name);
      else { count++; bytes += (await fs.promises.stat(name)).size; }
    }
  };
  await walk(top);
  const one = path.join(top, 'one'), two = path.join(top, 'two');
  await fs.promises.writeFile(one, Buffer.alloc(1000000, 'abc'));
  await stream.pipeline(fs.createReadStream(one), zlib.createGzip(), zlib.createGunzip(),
    fs.createWriteStream(two));
  await fs.promises.copyFile(two, one + '.copy');
  await fs.promises.symlink('two', path.join(top, 'link'));
  await fs.promises.rename(one, path.join(top, 'three'));
  const seen = [sha(fs.readFileSync(one + '.copy')), await fs.promises.readlink(top + '/link'),
    fs.readdirSync(top).join(), await fs.promises.access(one).catch((e) => e.code),
    await fs.promises.rmdir(top).catch((e) => e.code)];
  const handle = await fs.promises.open(two, 'r+');
  await handle.truncate(10);
  await handle.write('WX', 3);
  await handle.utimes(1000, 2000);
  const { size, mtimeMs } = await handle.stat();
  const { buffer } = await handle.read(Buffer.alloc(10), 0, 10, 0);
  await handle.close();
  await fs.promises.rm(top, { recursive: true });
  return [count, bytes, ...seen, size, mtimeMs, buffer.toString(), fs.existsSync(top)];
}

async function watching() {
  const top = fs.mkdtempSync(path.join(os.tmpdir(), 'phasor-watch-'));
  const seen = new Set();
  const watcher = fs.watch(top, (event, name) => seen.add(`${event} ${name}`));
  fs.writeFileSync(path.join(top, 'file'), 'x');
  fs.renameSync(path.join(top, 'file'), path.join(top, 'moved'));
  while (!seen.has('rename moved')) await sleep(5);
  watcher.close();
  const polled = path.join(top, 'moved');
  const changed = new Promise((done) => fs.watchFile(polled, { interval: 10 },
    (now, before) => { if (now.size !== before.size) done([before.size, now.size]); }));
  await sleep(100);
  fs.appendFileSync(polled, 'yz');
  const sizes = await changed;
  fs.unwatchFile(polled);
  fs.rmSync(top, { recursive: true });
  return [[...seen].sort().join(), sizes.join()];
}

async function signals() {
  const seen = [];
  process.on('SIGUSR2', () => seen.push('SIGUSR2'));
  process.on('SIGHUP', () => seen.push('SIGHUP'));
  process.kill(process.pid, 'SIGUSR2');
  while (seen.length < 1) await sleep(2);
  process.kill(process.pid, 'SIGHUP');
  while (seen.length < 2) await sleep(2);
  process.removeAllListeners('SIGUSR2');
  process.removeAllListeners('SIGHUP');
  return seen;
}

async function names() {
  const { address } = await dns.promises.lookup('localhost', 4);
  const service = await dns.promises.lookupService('127.0.0.1', 80).catch((e) => ({ e: e.code }));
  return [address, service.service || service.e];
}

async function threads() {
  const shared = new SharedArrayBuffer(4);
  const workers = [0, 1, 2, 3].map((index) =>
    new worker.Worker(__filename, { workerData: { shared, index } }));
  const messages = await Promise.all(workers.map(async (w) => (await once(w, 'message'))[0]));
  await Promise.all(workers.map((w) => w.terminate()));
  return [new Int32Array(shared)[0], messages.map((m) => `${m.index}${m.ok}`).join()];
}

async function pool() {
  const keys = await Promise.all(Array.from({ length: 12 }, (_, i) => new Promise((done) =>
    crypto.pbkdf2(`p${i}`, 'salt', 2000, 32, 'sha256', (e, key) => done(key)))));
  const random = await new Promise((done) => crypto.randomBytes(32, (e, b) => done(b.length)));
  const packed = await new Promise((done) => zlib.deflate(Buffer.alloc(200000), (e, b) => done(b)));
  return [sha(Buffer.concat(keys)), random, zlib.inflateSync(packed).length];
}

async function main() {
  const maps = fs.readFileSync('/proc/self/maps', 'utf8').split('\n');
  fs.writeFileSync(process.env.CLIENT_LIBRARY,
    [...new Set(maps.filter((m) => m.includes('libuv.so')).map((m) => m.split(/\s+/)[5]))].join());
  for (const part of [timers, httpRequests, sockets, children, files, watching, signals, names,
    threads, pool])
    console.log(part.name, JSON.stringify(await part()));
  console.log('handles left', process._getActiveHandles().filter((h) => h.fd === undefined).length);
}

process.on('exit', (code) => console.log('exit', code));
main();
