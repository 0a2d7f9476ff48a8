'use strict';
// Where trace events come from, by category: each begins when somebody wants it.

const titles = [process.title];
const threads = [];

function watchTitle() {
  const { get, set } = Object.getOwnPropertyDescriptor(process, 'title');
  Object.defineProperty(process, 'title', { configurable: true, enumerable: true, get,
    set(value) {
      set(value);
      titles.push(`${value}`);
    } });
}
watchTitle();
process.on('worker', (worker) => {
  const { threadId } = worker;
  const name = require('worker_threads').nameOf(worker);
  threads.push(`[worker ${threadId}]${name ? ` ${name}` : ''}`);
});

const hex = (id) => `0x${id.toString(16)}`;

function asyncHooks(add, category) {
  const hooks = require('async_hooks');
  const types = new Map();
  const tell = (ph, id, name, args = {}) => add(ph, category, name, { id: hex(id), args });
  hooks.createHook({
    init(id, type, triggerAsyncId) {
      types.set(id, type);
      tell('b', id, type, { data: { executionAsyncId: hooks.executionAsyncId() || 1,
        triggerAsyncId: triggerAsyncId || 1 } });
    },
    before(id) { if (types.has(id)) tell('b', id, `${types.get(id)}_CALLBACK`); },
    after(id) { if (types.has(id)) tell('e', id, `${types.get(id)}_CALLBACK`); },
    destroy(id) {
      if (!types.has(id)) return;
      tell('e', id, types.get(id));
      types.delete(id);
    },
  }).enable();
}

const FILE_NAMES = { copyFile: 'copyfile', scandir: 'readdir', futimes: 'futimes' };

// The functions of the binding are wrapped in their places.
function files(isAsync) {
  return (add, category) => {
    const native = binding('fs');
    for (const name of Object.getOwnPropertyNames(native)) {
      const call = native[name];
      if (typeof call !== 'function' || name === 'readFile' || name === 'kind') continue;
      const plain = FILE_NAMES[name] ?? name;
      native[name] = (...args) => {
        const at = args.findIndex((one) => typeof one === 'function');
        if ((at !== -1) !== isAsync) return call(...args);
        if (!isAsync) return during(add, category, syncNames(plain), () => call(...args));
        const callback = args[at];
        add('b', category, asyncName(name, plain), { id: '0x1' });
        args[at] = (...results) => {
          add('e', category, asyncName(name, plain), { id: '0x1' });
          return callback(...results);
        };
        return call(...args);
      };
    }
    if (isAsync) gateOn();
  };
}

const asyncName = (name, plain) => ({ scandir: 'scandir', utimes: 'utime', futimes: 'futime',
  lutimes: 'lutime' })[name] ?? plain;

// Whole files are read in Node's steps from now on.
function gateOn() { require('async_hooks').executionAsyncId(); }

function syncNames(name) {
  if (name === 'readFileSync') return ['open', 'fstat', 'read', 'close'];
  return [name];
}

function during(add, category, names, work) {
  for (const name of names) add('B', category, `fs.sync.${name}`);
  try {
    return work();
  } finally {
    for (const name of names) add('E', category, `fs.sync.${name}`);
  }
}

function consoles(add, category) {
  const counts = new Map();
  const wrap = (name, tell) => {
    const call = console[name];
    console[name] = function wrapped(label = 'default', ...args) {
      tell(`${label}`);
      return Reflect.apply(call, this, [label, ...args]);
    };
    Object.defineProperty(console[name], 'name', { value: name });
  };
  const count = (label, value) => {
    counts.set(label, value);
    add('C', category, `count::${label}`, { args: { data: value } });
  };
  wrap('count', (label) => count(label, (counts.get(label) ?? 0) + 1));
  wrap('countReset', (label) => count(label, 0));
  for (const [name, ph] of [['time', 'b'], ['timeLog', 'n'], ['timeEnd', 'e']]) {
    wrap(name, (label) => add(ph, category, `time::${label}`, { id: '0x0' }));
  }
}

function requests(add, category) {
  const { subscribe } = require('diagnostics_channel');
  const on = (channel, ph, name) =>
    subscribe(channel, () => add(ph, category, name, { id: '0x1' }));
  on('http.client.request.start', 'b', 'http.client.request');
  on('http.client.response.finish', 'e', 'http.client.request');
  on('http.server.request.start', 'b', 'http.server.request');
  on('http.server.response.finish', 'e', 'http.server.request');
}

function connections(add, category) {
  const native = binding('stream');
  const { connect } = native;
  native.connect = (handle, address, port, callback) => {
    const isAbstract = address[0] === '\0';
    const args = port !== undefined ? { ip: address, port }
      : { path_type: isAbstract ? 'abstract socket' : 'file', pipe_path: address };
    add('b', category, 'connect', { id: '0x1', args });
    return connect(handle, address, port, (status) => {
      add('e', category, 'connect', { id: '0x1', args: { status } });
      return callback(status);
    });
  };
}

function folders(add, category) {
  const fs = require('fs');
  const { opendir } = fs;
  fs.opendir = function traced(...args) {
    const callback = args.at(-1);
    add('b', category, 'opendir', { id: '0x1' });
    const done = (...results) => {
      add('e', category, 'opendir', { id: '0x1' });
      callback(...results);
    };
    return opendir(...args.slice(0, -1), typeof callback === 'function' ? done : callback);
  };
}

function bootstrap(add, category) {
  for (const name of ['nodeStart', 'environment', 'bootstrapComplete']) add('I', category, name);
  setImmediate(() => add('I', category, 'loopStart')).unref();
  process.once('exit', () => add('I', category, 'loopExit'));
}

function environment(add, category) {
  add('b', category, 'Environment', { id: '0x1' });
  const phases = { Timeout: ['RunTimers'], Immediate: ['CheckImmediate',
    'RunAndClearNativeImmediates'] };
  const types = new Map();
  const tell = (ph, id) => {
    for (const name of phases[types.get(id)] ?? []) add(ph, category, name);
  };
  require('async_hooks').createHook({
    init(id, type) { if (phases[type]) types.set(id, type); },
    before(id) { tell('B', id); },
    after(id) { tell('E', id); },
    destroy(id) { types.delete(id); },
  }).enable();
  process.on('beforeExit', () => add('I', category, 'BeforeExit'));
  process.once('exit', () => {
    add('I', category, 'AtExit');
    add('I', category, 'RunCleanup');
    add('e', category, 'Environment', { id: '0x1' });
  });
}

function rejections(add, category) {
  let unhandled = 0;
  let handledAfter = 0;
  const tell = () => add('C', category, 'rejections', { args: { unhandled, handledAfter } });
  require('internal/process/rejections').watcher = (isHandled) => {
    if (isHandled) handledAfter++;
    else unhandled++;
    tell();
  };
}

function timings(add, category) {
  const { performance } = require('perf_hooks');
  const { mark, measure } = performance;
  performance.mark = function marked(name, options) {
    add('R', category, `${name}`);
    return Reflect.apply(mark, this, [name, options]);
  };
  performance.measure = function measured(name, ...args) {
    add('b', category, `${name}`, { id: '0x1' });
    const made = Reflect.apply(measure, this, [name, ...args]);
    add('e', category, `${name}`, { id: '0x1' });
    return made;
  };
}

function scripts(add, category) {
  const { Script } = require('vm');
  const { runInContext, runInThisContext } = Script.prototype;
  Script.prototype.runInContext = function ran(...args) {
    add('B', category, 'RunInContext');
    try {
      return Reflect.apply(runInContext, this, args);
    } finally {
      add('E', category, 'RunInContext');
    }
  };
  Script.prototype.runInThisContext = function ran(...args) {
    add('B', category, 'RunInContext');
    try {
      return Reflect.apply(runInThisContext, this, args);
    } finally {
      add('E', category, 'RunInContext');
    }
  };
}

const SOURCES = {
  'node,node.async_hooks': asyncHooks,
  'node,node.fs,node.fs.sync': files(false),
  'node,node.fs,node.fs.async': files(true),
  'node,node.fs_dir,node.fs_dir.async': folders,
  'node,node.console': consoles,
  'node,node.http': requests,
  'node,node.net,node.net.native': connections,
  'node,node.bootstrap': bootstrap,
  'node,node.environment': environment,
  'node,node.promises,node.promises.rejections': rejections,
  'node,node.perf,node.perf.usertiming': timings,
  'node,node.vm,node.vm.script': scripts,
};

module.exports = { SOURCES, titles, threads };
