'use strict';
// CompressionStream and DecompressionStream: zlib as web streams.

const { validateOneOf } = require('internal/errors/validators');
const { expose, invalidThis } = require('internal/events/target');

const FORMATS = ['deflate', 'deflate-raw', 'gzip'];
const kPair = Symbol('kPair');

function pairOf(stream, name) {
  const pair = stream?.[kPair];
  if (pair === undefined) throw invalidThis(name);
  return pair;
}

function makeClass(name, makers) {
  const made = { [name]: class {
    constructor(format) {
      validateOneOf(format, 'format', FORMATS);
      const transform = require('zlib')[makers[format]]();
      Object.defineProperty(this, kPair,
        { value: require('internal/streams/web_adapters').duplexToWeb(transform) });
    }

    get readable() { return pairOf(this, name).readable; }

    get writable() { return pairOf(this, name).writable; }

    [Symbol.for('nodejs.util.inspect.custom')](depth, options) {
      const { inspect } = require('internal/inspect/inspect');
      const { readable, writable } = pairOf(this, name);
      return `${name} ${inspect({ readable, writable }, options)}`;
    }
  } }[name];
  expose(made, name);
  return made;
}

module.exports = {
  CompressionStream: makeClass('CompressionStream', { deflate: 'createDeflate',
    'deflate-raw': 'createDeflateRaw', gzip: 'createGzip' }),
  DecompressionStream: makeClass('DecompressionStream', { deflate: 'createInflate',
    'deflate-raw': 'createInflateRaw', gzip: 'createGunzip' }),
};
