'use strict';
// A small client of the inspector: starts a program, speaks WebSocket with it.
const { spawn } = require('child_process');
const http = require('http');

function frame(text) {
  const body = Buffer.from(text);
  const head = body.length < 126 ? Buffer.from([0x81, 0x80 | body.length])
    : Buffer.from([0x81, 0xfe, body.length >> 8, body.length & 255]);
  return Buffer.concat([head, Buffer.alloc(4), body]); // a mask of zeros
}

function* frames(state) {
  for (;;) {
    const { bytes } = state;
    if (bytes.length < 2) return;
    let length = bytes[1];
    let at = 2;
    if (length === 126) [length, at] = [bytes.readUInt16BE(2), 4];
    else if (length === 127) [length, at] = [bytes.readUIntBE(4, 6), 10];
    if (bytes.length < at + length) return;
    if (bytes[0] === 0x81) yield JSON.parse(bytes.toString('utf8', at, at + length));
    state.bytes = bytes.subarray(at + length);
  }
}

class Client {
  #waiting = new Map();
  #events = [];
  #wanted = [];
  #last = 0;

  constructor(socket) {
    this.socket = socket;
    const state = { bytes: Buffer.alloc(0) };
    socket.on('data', (data) => {
      state.bytes = Buffer.concat([state.bytes, data]);
      for (const message of frames(state)) this.#onMessage(message);
    });
  }

  #onMessage(message) {
    if (message.id !== undefined) {
      this.#waiting.get(message.id)(message.result ?? message.error);
      return;
    }
    const found = this.#wanted.findIndex(({ method }) => method === message.method);
    if (found === -1) this.#events.push(message);
    else this.#wanted.splice(found, 1)[0].resolve(message.params);
  }

  post(method, params = {}) {
    const id = ++this.#last;
    this.socket.write(frame(JSON.stringify({ id, method, params })));
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  // The next event of a kind; what came before it is not looked at any more.
  next(method) {
    const found = this.#events.findIndex((message) => message.method === method);
    if (found !== -1) return Promise.resolve(this.#events.splice(0, found + 1).at(-1).params);
    this.#events.length = 0;
    return new Promise((resolve) => this.#wanted.push({ method, resolve }));
  }

  end() { this.socket.destroy(); }
}

// { child, port, path, output() } of a program that listens
function start(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (data) => { output += data; });
  return new Promise((resolve) => {
    child.stderr.on('data', (data) => {
      output += data;
      const match = /ws:\/\/127\.0\.0\.1:(\d+)(\/\S+)\n/.exec(output);
      if (match) resolve({ child, port: +match[1], path: match[2], output: () => output });
    });
  });
}

function connect({ port, path }) {
  const headers = { 'Connection': 'Upgrade', 'Upgrade': 'websocket', 'Sec-WebSocket-Version': 13,
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' };
  return new Promise((resolve, reject) => {
    http.get({ port, host: '127.0.0.1', path, headers })
      .on('upgrade', (response, socket) => resolve({ client: new Client(socket), response }))
      .on('response', (response) => reject(new Error(`status ${response.statusCode}`)));
  });
}

function get(port, path, headers) {
  return new Promise((resolve) => {
    http.get({ port, host: '127.0.0.1', path, headers }, (response) => {
      let body = '';
      response.on('data', (data) => { body += data; });
      response.on('end', () => resolve({ status: response.statusCode, body }));
    });
  });
}

module.exports = { start, connect, get };
