'use strict';
// Blobs that have an address: "blob:nodedata:ID", until it is revoked.

const { invalidArgType } = require('internal/errors/errors');

const PREFIX = 'blob:nodedata:';
const blobs = new Map();

function create(blob) {
  const { Blob } = require('internal/blob/blob');
  if (!(blob instanceof Blob)) throw invalidArgType('obj', 'Blob', blob);
  const id = require('crypto').randomUUID();
  blobs.set(id, blob);
  return PREFIX + id;
}

function idOf(url) {
  try {
    const { href } = new URL(url);
    return href.startsWith(PREFIX) ? href.slice(PREFIX.length) : undefined;
  } catch {
    return undefined;
  }
}

function revoke(url) { blobs.delete(idOf(url)); }

// The bytes at the address, as a Blob; undefined if there are none.
function resolve(url) {
  const blob = blobs.get(idOf(url));
  return blob && blob.slice(0, blob.size, blob.type);
}

module.exports = { create, resolve, revoke };
