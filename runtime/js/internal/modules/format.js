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

// Of a file; undefined if its extension is not known.
function formatOf(file, source) {
  const extension = path.extname(file);
  const known = BY_EXTENSION[extension];
  if (known !== undefined) return known;
  if (extension === '.wasm' && process.execArgv.length > 0 &&
      require('internal/boot/options').isOn('experimental-wasm-modules')) return 'wasm';
  if (extension !== '.js' && extension !== '') return undefined;
  const type = resolver.packageOf(file)?.data.type;
  if (type === 'module' || type === 'commonjs') return type;
  const otherwise = defaultType(file);
  if (otherwise !== undefined) return otherwise;
  if (source === undefined) return null;
  return isDetecting() && looksLikeModule(source()) ? 'module' : 'commonjs';
}

// Lines that only ES modules have, unless they are inside of a text.
const HINT = new RegExp(['^[ \\t]*(?:import\\b(?![ \\t]*\\()|export\\b)', '\\bimport\\.meta\\b',
  '(?:^|[;{}=(])\\s*await\\b', ';\\s*(?:import|export)\\b'].join('|'), 'm');

// Code that says nothing of its kind is an ES module if only that makes it valid.
function looksLikeModule(source) {
  if (!/\b(import|export|await)\b/.test(source)) return false;
  if (!HINT.test(source)) return false;
  try {
    native.compileFunction(source, 'hint');
    return false;
  } catch {
    return native.looksLikeModule(source);
  }
}

module.exports = { formatOf, looksLikeModule, defaultType };
