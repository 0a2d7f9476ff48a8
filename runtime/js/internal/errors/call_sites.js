'use strict';
// The objects that Error.prepareStackTrace gets, as V8's.

const { traceLength, readFrame } = binding('frames');

const EVAL_FILE = '<input>';
const AWAIT = 1; // kinds of frames (engine/trace_frame.h); above it those of Promise.all and others
const COMBINATORS = [Promise.all, Promise.allSettled, Promise.any];
const { Promise: ThePromise } = globalThis;
const secret = {};

class CallSite {
  #facts;

  constructor(key, facts) {
    if (key !== secret) throw new Error('Not supported');
    this.#facts = facts;
  }

  // Promise.all and its kin, where they are waited for.
  get #combinator() { return COMBINATORS[this.#facts.kind - AWAIT - 1]; }

  #isEvalCode() { return this.#facts.file === EVAL_FILE; }

  getColumnNumber() { return this.#facts.column; }
  getEnclosingColumnNumber() { return 0; }
  getEnclosingLineNumber() { return 0; }
  getEvalOrigin() {
    return this.#isEvalCode() ? 'eval at <anonymous> (<anonymous>)' : undefined;
  }
  getFileName() { return this.#isEvalCode() ? undefined : this.#facts.file ?? undefined; }
  // V8 shows strict code to nobody.
  getFunction() {
    return this.#combinator ?? (this.#facts.isStrict ? undefined : this.#facts.fn);
  }
  getFunctionName() {
    if (this.#combinator) return this.#combinator.name;
    return this.#facts.functionName ?? (this.#isEvalCode() ? 'eval' : null);
  }
  getLineNumber() { return this.#facts.line; }
  getMethodName() { return this.#combinator?.name ?? this.#facts.methodName; }
  getPosition() { return 0; }
  getPromiseIndex() { return this.isPromiseAll() ? this.#facts.index : null; }
  getScriptNameOrSourceURL() { return this.getFileName(); }
  getScriptHash() { return ''; }
  getThis() {
    if (this.#combinator) return ThePromise;
    return this.#facts.isStrict ? undefined : this.#facts.receiver;
  }
  getTypeName() { return this.#combinator ? 'Function' : this.#facts.typeName; }
  isAsync() { return this.#facts.kind >= AWAIT; }
  isConstructor() { return this.#facts.isConstructor; }
  isEval() { return this.#isEvalCode(); }
  isNative() { return false; }
  isPromiseAll() { return this.#combinator !== undefined; }
  isToplevel() { return this.#facts.receiver === undefined && !this.#combinator; }
  toString() {
    if (!this.#isEvalCode()) return this.#facts.text;
    const place = `${this.getEvalOrigin()}, <anonymous>:${this.#facts.line}:${this.#facts.column}`;
    return `${this.getFunctionName()} (${place})`;
  }
}

const from = (trace) => Array.from({ length: traceLength(trace) },
  (_, index) => new CallSite(secret, readFrame(trace, index)));

module.exports = { from };
