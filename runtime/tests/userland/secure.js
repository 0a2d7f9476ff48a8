// axios, got, undici, node-fetch and fetch over HTTPS and HTTP/2, against nginx
// needs: nginx
'use strict';
const crypto = require('node:crypto');
const fs = require('node:fs');
const https = require('node:https');
const path = require('node:path');
const axios = require('axios');
const undici = require('undici');

const ca = fs.readFileSync(path.join(process.env.KEYS, 'ca.pem'), 'utf8');
const base = `https://localhost:${process.env.NGINX_PORT}`;
const hash = (bytes) => crypto.createHash('sha256').update(bytes).digest('hex').slice(0, 16);
const agent = new https.Agent({ ca, keepAlive: true });

async function attempt(name, work) {
  const show = (value) => console.log(name, JSON.stringify(value)?.replaceAll(base, 'BASE'));
  try {
    show(await work());
  } catch (error) {
    show([error.name, error.message, error.code, error.cause?.code, error.cause?.message]);
  }
}

async function axiosRequests() {
  const options = { httpsAgent: agent, proxy: false };
  await attempt('axios', () => axios.get(`${base}/hello.txt`, options).then((r) => r.data));
  await attempt('axios large', () => axios.get(`${base}/large.txt`,
    { ...options, responseType: 'arraybuffer' }).then((r) => hash(r.data)));
  await attempt('axios moved', () => axios.get(`${base}/moved`, options)
    .then((r) => [r.data, r.request.path]));
  await attempt('axios gone', () => axios.get(`${base}/gone`, options));
  await attempt('axios stranger', () => axios.get(`${base}/hello.txt`, { proxy: false }));
}

async function gotRequests() {
  const { default: got } = await import('got');
  const options = { https: { certificateAuthority: ca }, retry: { limit: 0 } };
  await attempt('got', () => got(`${base}/hello.txt`, options).text());
  await attempt('got large', () => got(`${base}/large.txt`, options).buffer().then(hash));
  await attempt('got moved', () => got(`${base}/moved`, options).text());
  await attempt('got gone', () => got(`${base}/gone`, options).text());
  await attempt('got http2', () => got(`${base}/hello.txt`, { ...options, http2: true })
    .then((r) => [r.body, r.httpVersion, r.statusCode]));
  await attempt('got http2 large', () => got(`${base}/large.txt`, { ...options, http2: true })
    .buffer().then(hash));
  await attempt('got stranger', () => got(`${base}/hello.txt`, { retry: { limit: 0 } }).text());
  await attempt('got stream', async () => {
    let size = 0;
    for await (const chunk of got.stream(`${base}/large.txt`, options)) size += chunk.length;
    return size;
  });
}

async function undiciRequests(allowH2) {
  const dispatcher = new undici.Agent({ connect: { ca }, allowH2 });
  await attempt('undici', async () => {
    const { statusCode, headers, body } = await undici.request(`${base}/hello.txt`, { dispatcher });
    return [statusCode, headers['content-type'], await body.text()];
  });
  await attempt('undici large', async () => {
    const { body } = await undici.request(`${base}/large.txt`, { dispatcher });
    return hash(Buffer.from(await body.arrayBuffer()));
  });
  await attempt('undici fetch', async () => {
    const response = await undici.fetch(`${base}/moved`, { dispatcher });
    return [response.status, response.redirected, await response.text()];
  });
  await attempt('undici gone', () => undici.request(`${base}/gone`, { dispatcher })
    .then((r) => r.body.dump().then(() => r.statusCode)));
  await dispatcher.close();
  await attempt('undici stranger', () => undici.fetch(`${base}/hello.txt`));
}

async function nodeFetchRequests() {
  const { default: nodeFetch } = await import('node-fetch');
  await attempt('node-fetch', () => nodeFetch(`${base}/hello.txt`, { agent })
    .then((r) => r.text()));
  await attempt('node-fetch large', () => nodeFetch(`${base}/large.txt`, { agent })
    .then((r) => r.arrayBuffer()).then((bytes) => hash(Buffer.from(bytes))));
  await attempt('node-fetch moved', () => nodeFetch(`${base}/moved`, { agent })
    .then(async (r) => [r.status, r.redirected, await r.text()]));
  await attempt('node-fetch stranger', () => nodeFetch(`${base}/hello.txt`));
}

async function main() {
  await axiosRequests();
  await gotRequests();
  await undiciRequests(true);
  await undiciRequests(false);
  await nodeFetchRequests();
  await attempt('fetch stranger', () => fetch(`${base}/hello.txt`));
  agent.destroy();
  console.log('end');
}
main();
