'use strict';
// A client of the inspector's protocol: finds the target, speaks WebSocket with it.

const EventEmitter = require('events');
const http = require('http');
const { withCode } = require('internal/errors/errors');

function frame(text) {
  const body = Buffer.from(text);
  const { length } = body;
  const head = Buffer.alloc(14);
  head[0] = 0x81;
  let at = 2;
  if (length < 126) {
    head[1] = 0x80 | length;
  } else if (length < 65536) {
    head[1] = 0x80 | 126;
    head.writeUInt16BE(length, 2);
    at = 4;
  } else {
    head[1] = 0x80 | 127;
    head.writeUIntBE(length, 4, 6);
    at = 10;
  }
  binding('random').fill(head.subarray(at, at + 4));
  for (let i = 0; i < length; i++) body[i] ^= head[at + (i & 3)];
  return Buffer.concat([head.subarray(0, at + 4), body]);
}

// The texts of whole frames; what is left of the bytes.
function readFrames(bytes) {
  const texts = [];
  for (;;) {
    if (bytes.length < 2) break;
    let length = bytes[1] & 0x7f;
    let at = 2;
    if (length === 126) {
      if (bytes.length < 4) break;
      [length, at] = [bytes.readUInt16BE(2), 4];
    } else if (length === 127) {
      if (bytes.length < 10) break;
      [length, at] = [bytes.readUIntBE(4, 6), 10];
    }
    if (bytes.length < at + length) break;
    if ((bytes[0] & 0x0f) === 1) texts.push(bytes.toString('utf8', at, at + length));
    bytes = bytes.subarray(at + length);
  }
  return [texts, bytes];
}

function fetchJson(host, port, path) {
  return new Promise((resolve, reject) => {
    http.get({ host, port, path }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (data) => { body += data; });
      response.on('end', () => {
        try {
          if (response.statusCode !== 200) throw new Error(`Unexpected ${response.statusCode}`);
          resolve(JSON.parse(body));
        } catch (error) {
          reject(error);
        }
      });
    }).on('error', reject);
  });
}

function checkSecret(key, response) {
  const { createHash } = require('crypto');
  const wanted = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64');
  if (response.headers['sec-websocket-accept'] !== wanted) {
    throw withCode(Error, 'ERR_DEBUGGER_ERROR',
      `WebSocket secret mismatch: ${response.headers['sec-websocket-accept']} !== ${wanted}`);
  }
}

class Client extends EventEmitter {
  #socket;
  #last = 0;
  #waiting = new Map();

  get isConnected() { return this.#socket !== undefined; }

  async connect(host, port) {
    const [target] = await fetchJson(host, port, '/json');
    const { pathname } = new URL(target.webSocketDebuggerUrl);
    const key = Buffer.alloc(16);
    binding('random').fill(key);
    const secret = key.toString('base64');
    const headers = { 'Connection': 'Upgrade', 'Upgrade': 'websocket', 'Sec-WebSocket-Key': secret,
      'Sec-WebSocket-Version': 13 };
    this.#socket = await new Promise((resolve, reject) => {
      http.get({ host, port, path: pathname, headers })
        .on('upgrade', (response, socket) => {
          try {
            checkSecret(secret, response);
            resolve(socket);
          } catch (error) {
            reject(error);
          }
        })
        .on('response', () => reject(new Error('The target did not upgrade')))
        .on('error', reject);
    });
    this.#listen(this.#socket);
  }

  #listen(socket) {
    let rest = Buffer.alloc(0);
    socket.on('data', (data) => {
      const [texts, left] = readFrames(Buffer.concat([rest, data]));
      rest = left;
      for (const text of texts) this.#onMessage(JSON.parse(text));
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#forget();
      this.emit('close');
    });
  }

  #onMessage({ id, method, params, result, error }) {
    if (id === undefined) {
      this.emit(method, params);
      return;
    }
    const { resolve, reject } = this.#waiting.get(id) ?? {};
    this.#waiting.delete(id);
    if (error === undefined) resolve?.(result);
    else reject?.(Object.assign(new Error(error.message), { code: error.code }));
  }

  call(method, params = {}) {
    if (this.#socket === undefined) {
      return Promise.reject(withCode(Error, 'ERR_DEBUGGER_ERROR',
        'Use `run` to start the app again.'));
    }
    const id = ++this.#last;
    this.#socket.write(frame(JSON.stringify({ id, method, params })));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  // Nobody answers any more.
  #forget() {
    for (const { resolve } of this.#waiting.values()) resolve({});
    this.#waiting.clear();
  }

  end() {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#forget();
    socket?.destroy();
  }
}

module.exports = { Client };
