'use strict';
// What can be typed at the debugger's prompt.

const { relative } = require('internal/debugger/session');
const { invalidArgType, outOfRange, withCode } = require('internal/errors/errors');
const { validateInteger, validateString } = require('internal/errors/validators');

const HELP = `The program
  run, restart, r             start it again from its beginning
  kill                        end it
  scripts                     name the files that it has loaded
  scripts(true)               ... and the runtime's own

Going on
  cont, c                     run until something stops the program
  next, n                     run this line
  step, s                     go into the function that is called here
  out, o                      run until this function returns

Where it stopped
  list, list(n)               show the lines around this one, n before and after
  setContextLineNumber(n)     show n lines around every stop from now on
  backtrace, bt               show which calls led here
  exec(code), exec code,
  p(code), p code             run code in the function that is stopped, show what it gives
  repl                        run code line by line until .exit
  watch(code)                 show what code gives at every stop
  unwatch(code), unwatch(n)   no longer, by its text or its number
  watchers                    show all of them now

Where to stop
  setBreakpoint(...), sb      at a line, a function or a file's line
  clearBreakpoint(...), cb    no longer there
  breakpoints                 name these places
  breakOnException            at every exception
  breakOnUncaught             at exceptions that nobody catches
  breakOnNone                 at no exception, as in the beginning

Measuring
  profile, profileEnd         begin and end to record where time goes
  profiles                    what was recorded
  profiles[n].save(file)      write it down, as node.cpuprofile unless a file is named
  takeHeapSnapshot(file)      write down what is in memory, as node.heapsnapshot
`;
const DOMAINS = ['Runtime', 'Debugger', 'Profiler', 'HeapProfiler', 'NodeRuntime', 'Schema'];

function escape(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

// Names that scripts are called by: a number, an address, or the end of one.
function findScript(session, name) {
  if (session.scripts.has(name)) return session.scripts.get(name);
  const found = [...session.scripts.values()].filter(({ url }) =>
    url === name || url.endsWith(`/${name}`) || relative(url) === name);
  if (found.length > 1 && !found.some(({ url }) => url.endsWith(`/${name}`))) {
    throw withCode(Error, 'ERR_DEBUGGER_ERROR', 'Script name is ambiguous');
  }
  return found.at(-1);
}

async function setBreakpoint(session, script, line, condition) {
  if (typeof script === 'string' && script.endsWith('()')) {
    await session.evaluate(`debug(${script.slice(0, -2)})`);
    return;
  }
  let name = script;
  if (script === undefined || typeof script === 'number') {
    const { location } = session.needPause();
    [name, line] = [location.scriptId, script ?? location.lineNumber + 1];
  }
  validateString(name, 'script');
  validateInteger(line, 'line', 1);
  const known = findScript(session, name);
  const again = { lineNumber: line - 1, columnNumber: 0, ...condition && { condition } };
  if (known !== undefined) {
    again.url = known.url;
  } else {
    session.print(`Warning: script '${name}' was not loaded yet.\n`);
    again.urlRegex = `^(.*[\\/\\\\])?${escape(name)}$`;
  }
  const made = await session.client.call('Debugger.setBreakpointByUrl', again);
  const [location] = made.locations;
  session.breakpoints.push({ ...made, location, again, line,
    name: known === undefined ? name : relative(known.url) });
  if (location !== undefined) session.print(await session.sourceText(location, 5));
  else if (known !== undefined) session.print('Could not resolve breakpoint\n');
}

async function clearBreakpoint(session, name, line) {
  const known = findScript(session, name);
  const at = session.breakpoints.findIndex((one) => one.line === line &&
    (one.name === name || (known !== undefined && one.name === relative(known.url))));
  if (at === -1) {
    session.print(`Could not find breakpoint at ${name}:${line}\n`);
    return;
  }
  const [{ breakpointId }] = session.breakpoints.splice(at, 1);
  await session.client.call('Debugger.removeBreakpoint', { breakpointId });
}

function listBreakpoints(session) {
  if (session.breakpoints.length === 0) session.print('No breakpoints yet\n');
  session.print(session.breakpoints.map(({ name, line, location }, i) =>
    `#${i} ${name}:${(location?.lineNumber ?? line - 1) + 1}\n`).join(''));
}

function listScripts(session, withOwn) {
  const current = session.paused?.callFrames[0].location.scriptId;
  for (const { scriptId, url } of session.scripts.values()) {
    if (!withOwn && url.startsWith('node:internal/')) continue;
    session.print(`${scriptId === current ? '*' : ' '} ${scriptId}: ${relative(url)}\n`);
  }
}

function backtrace(session) {
  session.needPause();
  session.print(session.paused.callFrames.map(({ functionName, location }, i) =>
    `#${i} ${functionName || '(anonymous)'} ${session.nameOf(location.scriptId)}:${
      location.lineNumber + 1}:${location.columnNumber}\n`).join(''));
}

async function showScopes(session) {
  const names = [];
  for (const { type, object } of session.needPause().scopeChain) {
    if (type === 'global') continue;
    const { result } = await session.client.call('Runtime.getProperties',
      { objectId: object.objectId, ownProperties: true });
    names.push(...result.map(({ name }) => name));
  }
  return names;
}

function execute(session, expression) {
  if (`${expression}`.trim() === '.scope') return showScopes(session);
  return session.evaluate(expression);
}

async function pauseOn(session, state) {
  session.pauseOn = state;
  await session.client.call('Debugger.setPauseOnExceptions', { state });
}

async function endProfile(session) {
  const { profile } = await session.client.call('Profiler.stop');
  const made = session.makeProfile(profile);
  session.profiles.push(made);
  return made;
}

function watch(session, expression) {
  validateString(expression, 'expression');
  session.watched.push(expression);
}

function unwatch(session, which) {
  const at = typeof which === 'number' ? which : session.watched.indexOf(which);
  if (at >= 0) session.watched.splice(at, 1);
}

function setContextLineNumber(session, delta) {
  if (typeof delta !== 'number') throw invalidArgType('delta', 'number', delta);
  if (!(delta >= 1)) throw outOfRange('delta', '>= 1', delta);
  session.contextLines = delta;
}

// By name: what runs when it is typed, with arguments or without.
const COMMANDS = {
  help: (session) => session.print(HELP),
  run: (session) => session.start(),
  kill: (session) => session.stop(),
  backtrace,
  list: async (session, delta = 5) =>
    session.print(await session.sourceText(session.needPause().location, delta)),
  setBreakpoint,
  clearBreakpoint,
  breakpoints: listBreakpoints,
  breakOnException: (session) => pauseOn(session, 'all'),
  breakOnUncaught: (session) => pauseOn(session, 'uncaught'),
  breakOnNone: (session) => pauseOn(session, 'none'),
  watch,
  unwatch,
  watchers: async (session) => session.print(await session.watchersText()),
  exec: execute,
  scripts: listScripts,
  profile: async (session) => { await session.client.call('Profiler.start'); },
  profileEnd: endProfile,
  takeHeapSnapshot: (session) => session.client.call('HeapProfiler.takeHeapSnapshot'),
  setContextLineNumber,
  version: async (session) => {
    const { result } = await session.client.call('Runtime.evaluate',
      { expression: 'process.versions.v8' });
    session.print(`${result.value}\n`);
  },
};
for (const [name, method] of [['cont', 'resume'], ['next', 'stepOver'], ['step', 'stepInto'],
  ['out', 'stepOut'], ['pause', 'pause']]) {
  COMMANDS[name] = async (session) => {
    if (name !== 'pause' && session.client.isConnected) session.needPause();
    session.paused = undefined;
    await session.client.call(`Debugger.${method}`);
  };
}
const SHORT = { r: 'run', restart: 'run', c: 'cont', n: 'next', s: 'step', o: 'out',
  bt: 'backtrace', sb: 'setBreakpoint', cb: 'clearBreakpoint', p: 'exec' };
// They need something said to them, so their names alone do nothing.
const CALLED = new Set(['clearBreakpoint', 'watch', 'unwatch', 'exec', 'setContextLineNumber']);

const kRun = Symbol('run');

// The names of a prompt: a command is a function that also runs when only its name is typed.
function makeContext(session, repl) {
  const context = { __proto__: null };
  const all = { ...COMMANDS, repl: () => repl() };
  for (const name of [...Object.keys(all), ...Object.keys(SHORT)]) {
    const full = SHORT[name] ?? name;
    const command = (...args) => all[full](session, ...args);
    if (!CALLED.has(full)) command[kRun] = true;
    context[name] = command;
  }
  Object.defineProperty(context, 'profiles', { get: () => session.profiles, enumerable: true });
  for (const domain of DOMAINS) {
    context[domain] = new Proxy({}, {
      get: (target, method) => (params) =>
        session.client.call(`${domain}.${String(method)}`, params),
    });
  }
  return Object.assign(context, { Buffer, console, process, setTimeout });
}

module.exports = { HELP, makeContext, execute, kRun };
