'use strict';
// `stack` of errors: what is above the frames is written when it is first read, and so is what the
// program makes of the frames (Error.prepareStackTrace).

const native = binding('frames');

// What writes the places of frames as source maps have them; undefined: nobody asked for that.
const mapping = { frames: undefined };

// Errors of the runtime show their code in their stacks.
const kIsNodeError = Symbol('kIsNodeError');

function header(error) {
  try {
    if (Object.hasOwn(error, kIsNodeError)) {
      return `${error.name} [${error.code}]: ${error.message}`;
    }
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

const whole = (error, frames) =>
  header(error) + (mapping.frames === undefined ? frames : mapping.frames(frames));

const define = (error, value) => Object.defineProperty(error, 'stack',
  { __proto__: null, value, writable: true, configurable: true, enumerable: false });

// How the engine keeps what ran: as traces.
const traces = {
  keeps: (value) => native.traceLength(value) !== -1,
  text: (error, trace) => whole(error, native.traceText(trace)),
  sites: (trace) => require('internal/errors/call_sites').from(trace),
  capture(target, above) {
    const trace = native.takeTrace(above);
    return native.giveTrace(target, trace) ? undefined : trace;
  },
  start() {},
};

// Or, without our patch: as text with a mark before it, or as call sites while a program wants
// those.
const MARK = '\u0001';
const OWN_FRAME = '\n    at captureStackTrace (node:internal/errors/stacks';

class Frames {
  constructor(sites) { this.sites = sites; }
}

function marked(Error) {
  const { set } = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const ours = binding('util').defaultPrepare();
  const capture = Error.captureStackTrace;
  return {
    keeps: (value) => value instanceof Frames || (typeof value === 'string' && value[0] === MARK),
    text(error, value) {
      return whole(error, (value instanceof Frames ? ours(error, value.sites) : value).slice(1));
    },
    sites: (value) => (value instanceof Frames ? value.sites : []),
    capture(target, above) {
      capture(target, above);
      const { stack } = target;
      // A function that is not on the stack hides all of it; the engine shows all of it then.
      return typeof stack === 'string' && stack.startsWith(MARK + OWN_FRAME) ? MARK : stack;
    },
    start(isWanted) {
      set.call(Error, isWanted ? (error, sites) => new Frames(sites) : ours);
    },
  };
}

function setupStack(Error, kept, read) {
  const { get } = Object.getOwnPropertyDescriptor(Error.prototype, 'stack');
  Object.defineProperty(Error.prototype, 'stack', {
    configurable: true,
    enumerable: false,
    get() {
      const value = get.call(this);
      if (!kept.keeps(value)) return value;
      const stack = read(this, value);
      if (Object.isExtensible(this)) define(this, stack);
      return stack;
    },
    set(value) { define(this, value); },
  });
  const capture = Error.captureStackTrace;
  Error.captureStackTrace = function captureStackTrace(target, above) {
    if (target === null || (typeof target !== 'object' && typeof target !== 'function')) {
      return capture(target);
    }
    const value = kept.capture(target,
      typeof above === 'function' ? above : captureStackTrace);
    if (value !== undefined) define(target, kept.keeps(value) ? read(target, value) : value);
  };
  Object.defineProperty(Error, 'captureStackTrace', { enumerable: false });
}

// What Error.prepareStackTrace is at first.
function ErrorPrepareStackTrace(error, sites) {
  return whole(error, sites.map((site) => `\n    at ${site}`).join(''));
}

// Each world of vm has an Error of its own. Setting prepareStackTrace to nothing brings our own
// form back.
function setupErrors(Error) {
  const kept = native.keepsTraces ? traces : marked(Error);
  let isAsked = false; // while the program makes a stack, others have our form
  let user = Error === globalThis.Error ? ErrorPrepareStackTrace : undefined;
  const isOwn = () => typeof user === 'function' && user !== ErrorPrepareStackTrace;
  setupStack(Error, kept, (error, value) => {
    if (!isOwn() || isAsked) return kept.text(error, value);
    isAsked = true;
    try {
      return user.call(Error, error, kept.sites(value));
    } finally {
      isAsked = false;
    }
  });
  Object.defineProperty(Error, 'prepareStackTrace', {
    configurable: true,
    enumerable: false,
    get: () => user,
    set(value) {
      user = value;
      kept.start(isOwn());
    },
  });
}

module.exports = { setupErrors, ErrorPrepareStackTrace, mapping, kIsNodeError };
