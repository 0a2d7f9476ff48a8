'use strict';
// What kind of module a file is.

const native = binding('modules');
const path = require('path');
const resolver = require('internal/modules/resolve');

const BY_EXTENSION = { __proto__: null, '.mjs': 'module', '.cjs': 'commonjs', '.json': 'json' };

function option(name) {
  return process.execArgv.length > 0 || process.env.NODE_OPTIONS
    ? require('internal/boot/options').last(name) : undefined;
}

// --experimental-default-type: of files whose package says nothing.
function defaultType(file) {
  const type = option('experimental-default-type');
  return type === 'module' && !/\/node_modules\//.test(file) ? 'module'
    : type === 'commonjs' ? 'commonjs' : undefined;
}

function isDetecting() {
  return !(process.execArgv.length > 0 || process.env.NODE_OPTIONS) ||
    require('internal/boot/options').isOn('experimental-detect-module') !== false;
}

function takesWasm() {
  return (process.execArgv.length > 0 || process.env.NODE_OPTIONS !== undefined) &&
    require('internal/boot/options').isOn('experimental-wasm-modules');
}

// By its first bytes.
function isWasm(file) {
  try {
    return binding('fs').readFileSync(file, false, 0).subarray(0, 4).join() === '0,97,115,109';
  } catch {
    return false;
  }
}

// Of a file; undefined if its extension is not known.
function formatOf(file, source) {
  const extension = path.extname(file);
  const known = BY_EXTENSION[extension];
  if (known !== undefined) return known;
  if (extension === '.wasm' && takesWasm()) return 'wasm';
  if (extension !== '.js' && extension !== '') return undefined;
  const own = resolver.packageOf(file)?.data.type;
  const type = own === 'module' || own === 'commonjs' ? own : defaultType(file);
  if (type === 'module' && extension === '' && takesWasm() && isWasm(file)) return 'wasm';
  if (type !== undefined) return type;
  if (source === undefined) return null;
  return isDetecting() && looksLikeModule(source()) ? 'module' : 'commonjs';
}

// Lines that only ES modules have, unless they are inside of a text.
const HINT = new RegExp(['^[ \\t]*(?:import\\b(?![ \\t]*\\()|export\\b)', '\\bimport\\.meta\\b',
  '(?:^|[;{}=(])\\s*await\\b', ';\\s*(?:import|export)\\b'].join('|'), 'm');

// A name that a CommonJS file has already and that only an ES module may declare.
const TAKEN = /\b(?:const|let|class)\s[^;]*?\b(?:module|exports|require|__(?:file|dir)name)\b/;

// Code that says nothing of its kind is an ES module if only that makes it valid.
function looksLikeModule(source) {
  const isTaken = TAKEN.test(source);
  if (!isTaken && !/\b(import|export|await)\b/.test(source)) return false;
  if (!isTaken && !HINT.test(source)) return false;
  try {
    native.compileFunction(source, 'hint');
    return false;
  } catch {
    return native.looksLikeModule(source);
  }
}

module.exports = { formatOf, looksLikeModule, defaultType };
