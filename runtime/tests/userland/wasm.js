// Packages that are WebAssembly, in part or as a whole: sql.js, undici over HTTP/1 (and with it
// discord.js and the client of Elasticsearch), ssh2, @rollup/wasm-node.
'use strict';
const http = require('http');
const { Client: Discord, EmbedBuilder, GatewayIntentBits, REST } = require('discord.js');
const { Client: Elastic } = require('@elastic/elasticsearch');
const { rollup } = require('@rollup/wasm-node');
const initSql = require('sql.js');
const ssh = require('ssh2');
const undici = require('undici');

async function sql() {
  const { Database } = await initSql();
  const db = new Database();
  db.run('create table t (a integer, b text); begin');
  const insert = db.prepare('insert into t values (?, ?)');
  for (let i = 0; i < 5000; i++) insert.run([i, `row ${i}`]);
  insert.free();
  db.run('commit');
  console.log(db.exec('select count(*), sum(a), max(b) from t where a % 3 = 1')[0].values);
  console.log(db.exec('select substr(b, 1, 5) x, count(*) c from t group by x order by c, x')[0]
    .values.slice(0, 3));
  const copy = new Database(db.export());
  console.log(copy.exec('select count(*) from t')[0].values);
  try {
    db.exec('selec');
  } catch (error) {
    console.log(error.message);
  }
}

function listen(answer) {
  return new Promise((resolve) => {
    const server = http.createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => { body += chunk; });
      request.on('end', () => answer(request, response, body));
    }).listen(0, () => resolve({
      base: `http://localhost:${server.address().port}`,
      close() {
        server.close();
        server.closeAllConnections();
      },
    }));
  });
}

async function http1() {
  const { base, close } = await listen((request, response, body) => {
    response.setHeader('x-two', ['1', '2']);
    response.end(JSON.stringify({ method: request.method, url: request.url, body }));
  });
  const { statusCode, headers, body } =
    await undici.request(`${base}/a?b=c`, { method: 'POST', body: 'hello' });
  console.log(statusCode, headers['x-two'], await body.json());
  const response = await undici.fetch(`${base}/f`);
  console.log(response.status, await response.json());
  const client = new undici.Client(base, { pipelining: 4 });
  const urls = await Promise.all(Array.from({ length: 20 }, async (_, i) => {
    const answer = await client.request({ path: `/${i}`, method: 'GET' });
    return (await answer.body.json()).url;
  }));
  console.log(urls.join(' '));
  await client.close();
  await undici.request('http://localhost:1/').catch((error) => console.log(error.code));
  close();
}

async function discord() {
  const client = new Discord({ intents: [GatewayIntentBits.Guilds] });
  console.log(new EmbedBuilder().setTitle('x').toJSON(), client.isReady());
  await client.destroy();
  const { base, close } = await listen((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ url: request.url, by: request.headers.authorization }));
  });
  console.log(await new REST({ api: base }).setToken('t').get('/users/1'));
  close();
}

async function elastic() {
  const { base, close } = await listen((request, response, body) => {
    response.setHeader('content-type', 'application/vnd.elasticsearch+json; compatible-with=9');
    response.setHeader('x-elastic-product', 'Elasticsearch');
    response.end(JSON.stringify({ url: request.url, body, hits: { hits: [{ a: 1 }] } }));
  });
  const client = new Elastic({ node: base });
  console.log(await client.search({ index: 'i', query: { match_all: {} } }));
  await client.close();
  close();
}

function secureShell() {
  const keys = ssh.utils.generateKeyPairSync('ed25519');
  return new Promise((resolve) => {
    const server = new ssh.Server({ hostKeys: [keys.private] }, (peer) => {
      peer.on('authentication', (login) => login.accept());
      peer.on('session', (accept) => accept().once('exec', (start, refuse, { command }) => {
        const stream = start();
        stream.write(`ran ${command}`);
        stream.exit(3);
        stream.end();
      }));
      peer.on('error', () => {});
    }).listen(0, '127.0.0.1', () => {
      const client = new ssh.Client();
      client.on('ready', () => client.exec('uptime', (error, stream) => {
        let said = '';
        stream.on('data', (chunk) => { said += chunk; });
        stream.on('close', (code) => {
          console.log(code, said);
          client.end();
          server.close(resolve);
        });
      }));
      client.connect({ host: '127.0.0.1', port: server.address().port, username: 'u',
        password: 'p', algorithms: { cipher: ['chacha20-poly1305@openssh.com'] } });
    });
  });
}

async function bundle() {
  const files = {
    a: 'import { b, c } from "b"; console.log(b, `${c}`); export default class Q { #p = 1; }',
    b: 'export const b = 1; export const unused = 2; export const c = (() => 3)();',
  };
  const plugin = { name: 'files', resolveId: (id) => id, load: (id) => files[id] };
  const made = await rollup({ input: 'a', plugins: [plugin] });
  console.log((await made.generate({ format: 'es' })).output[0].code);
  files.a = 'let x = ;';
  await rollup({ input: 'a', plugins: [plugin] }).catch(({ code, message }) =>
    console.log(code, message.split('\n')[0]));
}

(async () => {
  await sql();
  await http1();
  await discord();
  await elastic();
  await secureShell();
  await bundle();
  process.exit();
})();
