'use strict';
// FormData as the bytes of a body (multipart/form-data, RFC 7578), and back.

const { randomFillSync } = require('crypto');
const { FormData } = require('internal/fetch/form_data');

const lines = (text) => text.replace(/\r?\n|\r/g, '\r\n');
const escaped = (text) => text.replace(/\n/g, '%0A').replace(/\r/g, '%0D').replace(/"/g, '%22');

function makeBoundary() {
  const number = randomFillSync(new Uint32Array(1))[0] % 1e11;
  return `----formdata-undici-0${`${number}`.padStart(11, '0')}`;
}

async function encode(form, boundary) {
  const parts = [];
  for (const [name, value] of form) {
    let head = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(lines(name))}"`;
    if (typeof value === 'string') {
      parts.push(Buffer.from(`${head}\r\n\r\n${lines(value)}\r\n`));
      continue;
    }
    head += `; filename="${escaped(value.name)}"\r\n`;
    head += `Content-Type: ${value.type || 'application/octet-stream'}\r\n\r\n`;
    parts.push(Buffer.from(head), Buffer.from(await value.arrayBuffer()), Buffer.from('\r\n'));
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return Buffer.concat(parts);
}

function refused() {
  return new TypeError('Failed to parse body as FormData.');
}

const unescaped = (text) =>
  text.replace(/%0A/gi, '\n').replace(/%0D/gi, '\r').replace(/%22/g, '"');

function headOf(text) {
  const head = {};
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) throw refused();
    head[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim();
  }
  const disposition = head['content-disposition'] ?? '';
  const name = /^form-data\s*;.*?[;\s]name="([^"]*)"/i.exec(disposition);
  if (name === null) throw refused();
  const file = /[;\s]filename="([^"]*)"/i.exec(disposition);
  return { name: unescaped(name[1]), file: file && unescaped(file[1]),
    type: head['content-type'] ?? 'text/plain' };
}

function boundaryOf(type) {
  const found = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type);
  if (found === null) throw refused();
  return found[1] ?? found[2];
}

// From one boundary to the next; the last is followed by two dashes.
function decode(bytes, type) {
  const form = new FormData();
  const mark = Buffer.from(`--${boundaryOf(type)}`);
  let at = bytes.indexOf(mark);
  if (at !== 0 && bytes.toString('latin1', at - 2, at) !== '\r\n') throw refused();
  for (at += mark.length; bytes.toString('latin1', at, at + 2) !== '--';) {
    const body = bytes.indexOf('\r\n\r\n', at);
    const end = bytes.indexOf(Buffer.concat([Buffer.from('\r\n'), mark]), body + 2);
    if (bytes.toString('latin1', at, at + 2) !== '\r\n' || body === -1 || end === -1)
      throw refused();
    const { name, file, type: kind } = headOf(bytes.toString('utf8', at + 2, body));
    const data = bytes.subarray(Math.min(body + 4, end), end);
    form.append(name, file === null ? data.toString()
      : new File([data], file, { type: kind }));
    at = end + 2 + mark.length;
  }
  return form;
}

function parse(bytes, type) {
  const kind = (type ?? '').split(';')[0].trim().toLowerCase();
  if (kind === 'multipart/form-data') return decode(bytes, type);
  if (kind !== 'application/x-www-form-urlencoded') {
    throw new TypeError('Content-Type was not one of "multipart/form-data" or ' +
      '"application/x-www-form-urlencoded".');
  }
  const form = new FormData();
  for (const [name, value] of new URLSearchParams(bytes.toString())) form.append(name, value);
  return form;
}

module.exports = { makeBoundary, encode, parse };
