'use strict';
// The page over HTTP: on loopback alone, below a random path, for who asks by a name of this
// machine (another page that got hold of a name for 127.0.0.1 can't read it).

const fs = require('fs');
const http = require('http');
const path = require('path');
const { randomBytes } = require('crypto');
const { spawn } = require('child_process');
const { languageOf } = require('./program');
const { runWorld, findOrders } = require('./world');
const { runNode, runBrowser } = require('./beside');
const { writePage } = require('./page');

const MOST_BODY = 1 << 20;
const MOST_SOURCE = 200000;
const MOST_WORLDS = 60;

function readBody(request) {
  return new Promise((resolve, reject) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part) => {
      text += part;
      if (text.length > MOST_BODY) reject(new Error('the request is too long'));
    });
    request.on('end', () => resolve(text));
    request.on('error', reject);
  });
}

// What the page may ask for: a program, a seed, a number of worlds. A program in C finds headers in
// the folder of the one that the server began with.
function checked(body, folder) {
  const { source, name = 'program.js', seed = 1, worlds = 20 } = JSON.parse(body);
  const language = typeof name === 'string' ? languageOf(name) : undefined;
  if (typeof source !== 'string' || source.length > MOST_SOURCE) {
    throw new Error(`the program is no text of at most ${MOST_SOURCE} characters`);
  }
  if (language === undefined || !/^[\w.-]{1,80}$/.test(name)) {
    throw new Error('the program has no name of JavaScript or C');
  }
  if (!Number.isInteger(seed) || seed < 0 || seed > 2 ** 32 - 1) throw new Error('no such seed');
  if (!Number.isInteger(worlds) || worlds < 1 || worlds > MOST_WORLDS) {
    throw new Error(`the number of worlds is none from 1 to ${MOST_WORLDS}`);
  }
  return { program: { source, name, language, folder }, seed, worlds };
}

// The recording that was asked for last: the same program in the same world gives the same. The
// one that the server begins with is made while the browser starts.
let last = {};

function recordingOf({ program, seed }) {
  const key = JSON.stringify([program, seed]);
  if (last.key !== key) {
    const made = runWorld({ ...program, seed });
    last = { key, made };
    const forget = () => { if (last.made === made) last = {}; };
    made.then(({ error }) => { if (error !== undefined) forget(); }, forget);
  }
  return last.made;
}

const actions = {
  run: recordingOf,
  orders: ({ program, worlds }) => findOrders(program, worlds),
  node: ({ program }) => runNode(program),
  browser: ({ program }) => runBrowser(program),
  save: async (wanted) => ({
    page: writePage({ seed: wanted.seed,
      programs: [{ program: wanted.program, recording: await recordingOf(wanted) }] }),
  }),
};

function answer(response, status, type, body) {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': "default-src 'none'; script-src 'unsafe-inline'; " +
      "style-src 'unsafe-inline'; img-src data:; connect-src 'self'; frame-ancestors 'none'" });
  response.end(body);
}

async function act(action, folder, request, response) {
  let result;
  try {
    result = await actions[action](checked(await readBody(request), folder));
  } catch (error) {
    answer(response, 400, 'application/json', JSON.stringify({ error: error.message }));
    return;
  }
  answer(response, 200, 'application/json', JSON.stringify(result));
}

function isOurs(request, port) {
  const names = [`127.0.0.1:${port}`, `localhost:${port}`];
  const { host, origin } = request.headers;
  return names.includes(host) &&
    (origin === undefined || names.some((name) => origin === `http://${name}`));
}

// Opens the browser where there is one: a screen, and the command that knows it.
function openBrowser(address) {
  const hasScreen = process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  const opener = (process.env.PATH ?? '').split(':').map((one) => path.join(one, 'xdg-open'))
    .find((one) => fs.existsSync(one));
  if (!hasScreen || opener === undefined) return;
  spawn(opener, [address], { stdio: 'ignore', detached: true }).on('error', () => {}).unref();
}

function serve({ port, open, seed, words, program }) {
  const token = randomBytes(16).toString('hex');
  const server = http.createServer((request, response) => {
    const below = request.url.startsWith(`/${token}/`) ? request.url.slice(token.length + 2)
      : undefined;
    if (below === undefined || !isOurs(request, server.address().port)) {
      answer(response, 403, 'text/plain', 'This address is not for you.\n');
    } else if (request.method === 'GET' && below === '') {
      answer(response, 200, 'text/html; charset=utf-8',
        writePage({ programs: [{ program }], seed, words, live: true }));
    } else if (request.method === 'POST' && Object.hasOwn(actions, below)) {
      act(below, program.folder, request, response);
    } else {
      answer(response, 404, 'text/plain', 'There is no such page.\n');
    }
  });
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = `http://127.0.0.1:${server.address().port}/${token}/`;
      process.stdout.write(`${address}\n`);
      recordingOf({ program, seed }).catch(() => {}); // the page that asks is told why
      if (open) openBrowser(address);
      resolve(server);
    });
  });
}

module.exports = { serve };
