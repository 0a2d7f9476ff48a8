'use strict';
// Breakpoints: by address or by script, with conditions. One that was set before its script is
// there finds its place when the script comes.

const native = binding('inspector');
const agent = require('internal/inspector/agent');
const scripts = require('internal/inspector/scripts');
const frames = require('internal/inspector/frames');
const { ProtocolError } = require('internal/inspector/objects');

const BY_URL = 1;
const BY_PATTERN = 2;
const BY_SCRIPT = 4;

let areActive = true;

// A session's breakpoints by id: { id, line, column, condition, matches(script), places }
function of(session) {
  return session.state.breakpoints ??= new Map();
}

// All of them, to the engine's side.
function update() {
  const flat = [];
  for (const session of agent.sessions) {
    if (!areActive || !session.enabled.has('Debugger')) continue;
    for (const { places } of of(session).values()) {
      for (const { script, mark } of places) flat.push(script.file, ...mark.raw);
    }
  }
  native.setBreakpoints(flat);
}

// Finds the place in a script, and remembers it.
function place(breakpoint, script) {
  const mark = scripts.resolve(script, breakpoint.line, breakpoint.column);
  if (mark === undefined) return undefined;
  breakpoint.places.push({ script, mark });
  return { scriptId: script.id, lineNumber: mark.line, columnNumber: mark.column };
}

function onScript(script) {
  let isNew = false;
  for (const session of agent.sessions) {
    for (const breakpoint of of(session).values()) {
      if (!breakpoint.matches(script)) continue;
      // A text that was loaded again takes the place of the one before.
      breakpoint.places = breakpoint.places.filter((old) => old.script.file !== script.file);
      const location = place(breakpoint, script);
      isNew = true;
      if (location === undefined) continue;
      session.tell('Debugger.breakpointResolved', { breakpointId: breakpoint.id, location });
    }
  }
  if (isNew) update();
}

function add(session, id, { lineNumber, columnNumber, condition }, matches) {
  const all = of(session);
  if (all.has(id)) throw new ProtocolError('Breakpoint at specified location already exists.');
  const breakpoint = { id, line: lineNumber, column: columnNumber ?? 0, condition, matches,
    places: [] };
  all.set(id, breakpoint);
  return breakpoint;
}

function isLine(lineNumber) {
  return Number.isInteger(lineNumber) && lineNumber >= 0;
}

function setBreakpointByUrl(session, params) {
  const { url, urlRegex, lineNumber, columnNumber = 0 } = params;
  if (!isLine(lineNumber)) throw new ProtocolError('Invalid parameters', -32602);
  if (!(columnNumber >= 0)) throw new ProtocolError('Invalid column number');
  if ((url === undefined) === (urlRegex === undefined) && params.scriptHash === undefined) {
    throw new ProtocolError('Either url or urlRegex or scriptHash must be specified.');
  }
  const kind = url !== undefined ? BY_URL : BY_PATTERN;
  const pattern = urlRegex === undefined ? undefined : new RegExp(urlRegex);
  const id = `${kind}:${lineNumber}:${columnNumber}:${url ?? urlRegex}`;
  const breakpoint = add(session, id, params,
    (script) => script.url !== '' && (pattern?.test(script.url) ?? script.url === url));
  const locations = [];
  for (const script of scripts.byFile.values()) {
    const location = breakpoint.matches(script) ? place(breakpoint, script) : undefined;
    if (location !== undefined) locations.push(location);
  }
  update();
  return { breakpointId: id, locations };
}

function setBreakpoint(session, { location, condition }) {
  const { scriptId, lineNumber, columnNumber = 0 } = location ?? {};
  if (!isLine(lineNumber)) throw new ProtocolError('Invalid parameters', -32602);
  const id = `${BY_SCRIPT}:${lineNumber}:${columnNumber}:${scriptId}`;
  const script = scripts.all.get(scriptId);
  const breakpoint = add(session, id, { lineNumber, columnNumber, condition },
    (other) => other.id === scriptId);
  const actualLocation = script && place(breakpoint, script);
  if (actualLocation === undefined) {
    of(session).delete(id);
    throw new ProtocolError('Could not resolve breakpoint');
  }
  update();
  return { breakpointId: id, actualLocation };
}

// For one stop.
function setOnce(session, location) {
  const { breakpointId } = setBreakpoint(session, { location });
  of(session).get(breakpointId).isOnce = true;
}

function removeBreakpoint(session, { breakpointId }) {
  of(session).delete(breakpointId);
  update();
}

function holds(condition) {
  if (condition === undefined || condition === '') return true;
  try {
    return Boolean(frames.evaluate(0, condition));
  } catch {
    return false;
  }
}

// The ids of those that are at the frame's place and whose conditions hold.
function hitsAt(frame) {
  const hits = [];
  for (const session of agent.sessions) {
    if (!areActive || !session.enabled.has('Debugger')) continue;
    for (const [id, breakpoint] of of(session)) {
      const isHere = breakpoint.places.some(({ script, mark }) => script.file === frame.file &&
        mark.raw[0] === frame.line && mark.raw[1] === frame.column);
      if (!isHere || !holds(breakpoint.condition)) continue;
      if (breakpoint.isOnce) of(session).delete(id);
      hits.push(id);
    }
  }
  return hits;
}

// debug(fn) and undebug(fn) of a client's command line: a stop wherever a function starts.
function debugFunction(session, fn, isOn) {
  if (typeof fn !== 'function') return;
  const text = Function.prototype.toString.call(fn);
  for (const script of scripts.byFile.values()) {
    const at = script.source.indexOf(text);
    if (at === -1) continue;
    const before = script.source.slice(0, at).split('\n');
    const [lineNumber, columnNumber] = [before.length - 1, before.at(-1).length];
    const id = `function:${lineNumber}:${columnNumber}:${script.id}`;
    of(session).delete(id);
    if (isOn) place(add(session, id, { lineNumber, columnNumber }, () => false), script);
    break;
  }
  update();
}

const commands = {
  setBreakpointByUrl,
  setBreakpoint,
  removeBreakpoint,
  setBreakpointsActive(session, { active }) {
    areActive = active === true;
    update();
  },
};

module.exports = { commands, update, debugFunction, onScript, hitsAt, setOnce,
  forget: (session) => of(session).clear() };
