'use strict';
// The inspector of this world: its clients, what they are told, and the loop that serves them while
// the program is paused.

const native = binding('inspector');
const demand = (what) => binding('permission').demand(4, what);
const scripts = require('internal/inspector/scripts');
const { Objects, ProtocolError } = require('internal/inspector/objects');

const OPENED = 0;
const TEXT = 1;
const CLOSED = 2;

const isMain = binding('worker').startData() === undefined;
const sessions = new Set();
const remote = new Map(); // sessions by the number of their connection
const domains = {
  Runtime: 'runtime', Debugger: 'debugger', Profiler: 'profiler', HeapProfiler: 'heap',
  NodeRuntime: 'node', NodeWorker: 'workers', NodeTracing: 'node', Schema: 'node',
  Console: 'console', Network: 'network',
};

// One client. What it sends is answered through `send`, which takes an object.
class Session {
  objects = new Objects();
  enabled = new Set();
  state = {}; // of the domains, by name

  constructor(send, isRemote) {
    this.send = send;
    this.isRemote = isRemote;
    sessions.add(this);
  }

  tell(method, params) { this.send({ method, params }); }

  // A command; gives its result, or a promise of it.
  run(method, params) {
    const [domain, name] = method.split('.');
    const file = Object.hasOwn(domains, domain) ? domains[domain] : undefined;
    const commands = file === undefined ? undefined
      : require(`internal/inspector/${file}`).commands[domain];
    if (commands === undefined || !Object.hasOwn(commands, name)) {
      throw new ProtocolError(`'${method}' wasn't found`, -32601);
    }
    return commands[name](this, params ?? {}) ?? {};
  }

  #answer(id, work) {
    const fail = (error) => {
      const { protocol = { code: -32603, message: String(error?.message ?? error) } } = error ?? {};
      this.send({ id, error: protocol });
    };
    try {
      const result = work();
      if (typeof result.then === 'function') {
        result.then((value) => this.send({ id, result: value }), fail);
      } else {
        this.send({ id, result });
      }
    } catch (error) {
      fail(error);
    }
  }

  dispatch(message) {
    const { id, method, params } = message;
    const refuse = (words) => this.send({ id, error: { code: -32600, message: words } });
    if (!Number.isInteger(id)) {
      this.send({ error: { code: -32600, message: "Message must have integer 'id' property" } });
    } else if (typeof method !== 'string') {
      refuse("Message must have string 'method' property");
    } else if (params !== undefined && (typeof params !== 'object' || params === null)) {
      refuse("Message has invalid 'params' property");
    } else {
      this.#answer(id, () => this.run(method, params));
    }
  }

  close() {
    if (!sessions.delete(this)) return;
    for (const domain of [...this.enabled]) {
      try {
        this.run(`${domain}.disable`, {});
      } catch {
        // It can't be disabled, so there is nothing to undo.
      }
    }
    if (![...sessions].some((one) => one.isRemote)) agent.onAlone?.();
  }
}

function parse(text) {
  try {
    const message = JSON.parse(text);
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

function onText(connection, text) {
  const session = remote.get(connection);
  if (session === undefined) return;
  const message = parse(text);
  if (message === undefined) {
    session.send({ error: { code: -32700, message: 'JSON: syntax error' } });
    return;
  }
  session.dispatch(message);
}

// Below zero: clients of the main thread who speak with a worker (internal/inspector/workers).
function sendTo(connection, message) {
  const text = JSON.stringify(message);
  if (connection < 0) native.post(0, TEXT, connection, text);
  else native.send(connection, text);
}

function onMail([connection, kind, text]) {
  if (isMain && (connection < 0 || kind > CLOSED)) {
    require('internal/inspector/workers').onMail(connection, kind, text);
  } else if (kind === OPENED) {
    remote.set(connection, new Session((message) => sendTo(connection, message), true));
    agent.onAttached?.();
  } else if (kind === TEXT) {
    onText(connection, text);
  } else {
    const session = remote.get(connection);
    remote.delete(connection);
    session?.close();
    agent.isLeft = remote.size === 0;
  }
}

// All that has come; while the program waits for something, until that is there.
function serve(isDone) {
  if (isDone === undefined) {
    for (let mail; (mail = native.receive(false)) !== undefined;) onMail(mail);
    return;
  }
  while (!isDone()) onMail(native.receive(true));
}

// To those who have enabled a domain.
function tellAll(domain, method, makeParams) {
  for (const session of sessions) {
    if (session.enabled.has(domain)) session.tell(`${domain}.${method}`, makeParams(session));
  }
}

const agent = {
  sessions,
  serve,
  tellAll,
  isWaiting: false, // for a client that lets the program start
  isLeft: false, // the last client has gone
  onAttached: undefined,
  onAlone: undefined,
  connect(send, isRemote = false) {
    demand('Connect');
    return new Session(send, isRemote);
  },
  hasRemote: () => [...sessions].some((session) => session.isRemote),
};
module.exports = agent;

const { onPause, onScript } = require('internal/inspector/debugger');
native.setHandlers(() => serve(), onPause, (...row) => {
  const script = scripts.add(...row);
  if (script !== undefined) onScript(script);
});
native.markStatements();
require('internal/inspector/console').wrap();
const { inspected } = require('internal/process/process');
inspected.serve = serve;
inspected.onUncaught = (error) =>
  require('internal/inspector/runtime').tellUncaught(error);
