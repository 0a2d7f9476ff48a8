'use strict';
// The bodies that fetch takes: text, bytes, blobs, search parameters, forms, streams.

function typeOf(body) {
  if (typeof body === 'string') return 'text/plain;charset=UTF-8';
  if (body instanceof URLSearchParams) return 'application/x-www-form-urlencoded;charset=UTF-8';
  return body instanceof Blob ? body.type : '';
}

async function streamBytes(stream) {
  const parts = [];
  for await (const part of stream) parts.push(typeof part === 'string' ? Buffer.from(part) : part);
  return Buffer.concat(parts);
}

async function bodyBytes(body) {
  if (body === null || body === undefined) return Buffer.alloc(0);
  if (body instanceof Blob) return Buffer.from(await body.arrayBuffer());
  if (body instanceof ArrayBuffer) return Buffer.from(body);
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (typeof body === 'object' && body[Symbol.asyncIterator]) return streamBytes(body);
  return Buffer.from(`${body}`);
}

function bodyStream(body) {
  return new ReadableStream({
    type: 'bytes',
    async start(controller) {
      const bytes = await bodyBytes(body);
      if (bytes.length > 0) controller.enqueue(new Uint8Array(bytes));
      controller.close();
    },
  });
}

// What is kept of a body, and the type that it has of its own.
function asBody(body) {
  if (body === null || body === undefined) return { content: null, type: '' };
  if (typeof body !== 'object' || !(body instanceof require('internal/fetch/form_data').FormData))
    return { content: body, type: typeOf(body) };
  const { makeBoundary, encode } = require('internal/fetch/multipart');
  const boundary = makeBoundary();
  const copy = [...body];
  return { type: `multipart/form-data; boundary=${boundary}`, content: new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      controller.enqueue(new Uint8Array(await encode(copy, boundary)));
      controller.close();
    },
  }) };
}

module.exports = { asBody, bodyBytes, bodyStream };
