'use strict';
// The objects that Error.prepareStackTrace gets, with all that V8's have. The engine knows the
// function, its place and whether it was called with new; `this` and what is said of it are not
// known for frames of others' functions, and V8 tells them for some frames only.

const EVAL_FILE = '<input>';
const OUTERMOST = ['<eval>', '<anonymous>', 'Object.<anonymous>'];

// Calls that are no frames in V8.
const UNSEEN = ['apply', 'call', 'construct'];

function visible(sites) {
  return sites.filter((site) => site.getFileName() !== undefined ||
    !UNSEEN.includes(site.getFunctionName()));
}

const completed = new WeakSet();

// Called with the prototype of the first call sites that a program sees; each world of vm has one.
function complete(prototype) {
  if (completed.has(prototype)) return;
  completed.add(prototype);
  const raw = {};
  for (const name of ['getFileName', 'getFunctionName', 'getColumnNumber', 'getLineNumber'])
    raw[name] = prototype[name];
  const nameOf = (site) => raw.getFunctionName.call(site);
  const fileOf = (site) => raw.getFileName.call(site)?.replace(/\x01.*$/, '');
  const isEval = (site) => fileOf(site) === EVAL_FILE;
  const isModule = (site) => nameOf(site) === 'Object.<anonymous>';
  const { firstLineColumn } = binding('modules');

  const methods = {
    getColumnNumber() {
      const column = raw.getColumnNumber.call(this);
      return raw.getLineNumber.call(this) === 1 && column !== null
        ? firstLineColumn(`${fileOf(this)}`, column) : column;
    },
    getEnclosingColumnNumber() { return 0; },
    getEnclosingLineNumber() { return 0; },
    getEvalOrigin() { return isEval(this) ? 'eval at <anonymous> (<anonymous>)' : undefined; },
    getFileName() {
      return isEval(this) ? undefined : fileOf(this) ?? undefined;
    },
    getFunctionName() {
      if (isEval(this) && nameOf(this) === '<eval>') return 'eval';
      return OUTERMOST.includes(nameOf(this)) ? null : nameOf(this);
    },
    getMethodName() { return null; },
    getPosition() { return 0; },
    getPromiseIndex() { return null; },
    getScriptNameOrSourceURL() { return this.getFileName(); },
    getScriptHash() { return ''; },
    getThis() { return undefined; },
    getTypeName() { return isModule(this) ? 'Object' : null; },
    isAsync() { return false; },
    isEval() { return isEval(this); },
    isNative() { return false; },
    isPromiseAll() { return false; },
    isToplevel() { return !isModule(this) && !this.isConstructor() && fileOf(this) !== null; },
    toString() {
      const line = this.getLineNumber();
      const file = isEval(this) ? `${this.getEvalOrigin()}, <anonymous>`
        : this.getFileName() ?? '<anonymous>';
      const place = line === null ? file : `${file}:${line}:${this.getColumnNumber()}`;
      const name = this.getFunctionName();
      if (this.isConstructor()) return `new ${name ?? '<anonymous>'} (${place})`;
      if (isModule(this)) return `Object.<anonymous> (${place})`;
      return name === null ? place : `${name} (${place})`;
    },
  };
  define(prototype, methods);
}

// A program can tell a call site by its constructor, and can't make one.
function define(prototype, methods) {
  function CallSite() {
    throw new Error('Not supported');
  }
  CallSite.prototype = prototype;
  methods.constructor = CallSite;
  delete prototype[Symbol.toStringTag];
  for (const name of Object.keys(methods)) {
    Object.defineProperty(prototype, name,
      { value: methods[name], writable: true, configurable: true, enumerable: false });
  }
}

module.exports = { complete, visible };
