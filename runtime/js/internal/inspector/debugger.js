'use strict';
// The domain Debugger: breakpoints, pauses, steps.

const native = binding('inspector');
const agent = require('internal/inspector/agent');
const scripts = require('internal/inspector/scripts');
const frames = require('internal/inspector/frames');
const breakpoints = require('internal/inspector/breakpoints');
const { ProtocolError } = require('internal/inspector/objects');

const STEPS = { none: 0, into: 1, over: 2, out: 3 };
const STEP = 0; // reasons, of the engine's side
const BREAKPOINT = 1;
const EXCEPTION = 3;
const PAUSE_ON = { none: 0, uncaught: 1, caught: 2, all: 2 };
const MOST_ASYNC = 100; // stacks of what was asked for by what was asked for
const GROUP = 'backtrace'; // of objects that live as long as a pause

let paused; // { frames } while the program is
let asked; // the reason of the pause that a client, or the start, has asked for
let skipsAll = false;
let keepsAsync = false; // where asynchronous work was asked for

function updateNative() {
  let pauseOn = 0;
  const isOn = [...agent.sessions].some((session) => session.enabled.has('Debugger'));
  for (const session of agent.sessions) {
    pauseOn = Math.max(pauseOn, PAUSE_ON[session.state.pauseOn ?? 'none']);
  }
  native.enable(isOn);
  native.pauseOn(isOn ? pauseOn : 0);
  breakpoints.update();
}

function describeScript(script, session) {
  const trace = frames.stackTrace(8);
  return {
    scriptId: script.id, url: script.url, startLine: 0, startColumn: 0, endLine: script.endLine,
    endColumn: script.endColumn, executionContextId: script.contextId ?? 1, hash: '',
    executionContextAuxData: { isDefault: (script.contextId ?? 1) === 1 }, isLiveEdit: false,
    sourceMapURL: script.sourceMap, hasSourceURL: script.hasUrl, isModule: script.isModule,
    length: script.source.length, scriptLanguage: 'JavaScript', embedderName: script.url,
    ...trace && { stackTrace: trace },
  };
}

function onScript(script) {
  const { contextOf } = require('internal/inspector/runtime');
  script.contextId = contextOf(script.context);
  agent.tellAll('Debugger', 'scriptParsed', (session) => describeScript(script, session));
  breakpoints.onScript(script);
}

function describeFrame(frame, ordinal, session) {
  const { self, scopes } = frames.scopesOf(frame);
  const wrap = (value) => session.objects.wrap(value, { group: GROUP });
  const scopeChain = scopes.map(({ type, variables }) => {
    const shown = Object.create(null);
    for (const { name, value } of variables) shown[name] = value;
    const scope = { type, object: { ...wrap(shown), className: 'Object', description: 'Object' } };
    return frame.functionName === '' ? scope : { ...scope, name: frame.functionName };
  });
  scopeChain.push({ type: 'global', object: wrap(globalThis) });
  return {
    callFrameId: JSON.stringify({ ordinal, injectedScriptId: 1 }),
    functionName: frame.functionName, location: frame.location, url: frame.url, scopeChain,
    this: wrap(self), canBeRestarted: false,
  };
}

function describePause(session, { reason, data, hits }) {
  return {
    callFrames: paused.frames.map((frame, i) => describeFrame(frame, i, session)),
    reason,
    ...data !== undefined && { data: data(session) },
    hitBreakpoints: hits,
    ...session.state.asyncDepth > 0 && { asyncStackTrace:
      require('internal/inspector/async_stacks').current(session.state.asyncDepth) },
  };
}

// Why the program stops here, if it should.
function reasonOf(code, exception, flag) {
  const hits = code === EXCEPTION ? [] : breakpoints.hitsAt(paused.frames[0]);
  if (code === BREAKPOINT && hits.length === 0 && !flag) return undefined;
  if (code === EXCEPTION) {
    const data = (session) => ({ ...session.objects.wrap(exception, { group: GROUP }),
      uncaught: flag });
    return { reason: 'exception', data, hits };
  }
  const isAsked = asked !== undefined && (code === STEP || flag);
  const isOfFunction = hits.some((id) => id.startsWith('function:'));
  return { reason: isAsked ? asked : isOfFunction ? 'debugCommand' : 'other', hits };
}

// Called by the engine's side; the program goes on when this returns.
function onPause(code, exception, flag) {
  if (skipsAll) return;
  paused = { frames: frames.frames() };
  if (code === STEP && paused.frames.length > 0 && scripts.isAround(paused.frames[0])) {
    paused = undefined;
    native.step(STEPS.into);
    return;
  }
  const why = paused.frames.length === 0 ? undefined : reasonOf(code, exception, flag);
  if (why === undefined) {
    paused = undefined;
    return;
  }
  asked = undefined;
  const own = paused;
  agent.tellAll('Debugger', 'paused', (session) => describePause(session, why));
  const isServed = () => [...agent.sessions].some((session) => session.isRemote &&
    session.enabled.has('Debugger'));
  agent.serve(() => paused !== own || !isServed());
  paused = undefined;
  for (const session of agent.sessions) session.objects.releaseGroup(GROUP);
  agent.tellAll('Debugger', 'resumed', () => ({}));
}

function resume(step) {
  if (paused === undefined) throw new ProtocolError('Can only perform operation while paused.');
  native.step(STEPS[step]);
  paused = undefined;
}

// Stops at the next statement.
function pauseSoon(reason) {
  asked = reason;
  native.step(STEPS.into);
}

function frameOf(id) {
  let ordinal;
  try {
    ({ ordinal } = JSON.parse(id));
  } catch {
    throw new ProtocolError('Invalid call frame id');
  }
  if (paused === undefined) throw new ProtocolError('Can only perform operation while paused.');
  const frame = paused.frames[ordinal];
  if (frame === undefined) throw new ProtocolError('Could not find call frame with given id');
  return frame;
}

function scriptOf(id) {
  const script = scripts.all.get(id);
  if (script === undefined) throw new ProtocolError(`No script for id: ${id}`);
  return script;
}

function enable(session) {
  if (session.enabled.has('Debugger')) return { debuggerId: '1.1' };
  session.enabled.add('Debugger');
  for (const script of scripts.all.values()) {
    session.tell('Debugger.scriptParsed', describeScript(script, session));
  }
  updateNative();
  return { debuggerId: '1.1' };
}

function disable(session) {
  session.enabled.delete('Debugger');
  breakpoints.forget(session);
  session.state.pauseOn = 'none';
  setAsyncCallStackDepth(session, { maxDepth: 0 });
  updateNative();
  const isLast = ![...agent.sessions].some((one) => one.enabled.has('Debugger'));
  if (isLast && paused !== undefined) resume('none');
}

function evaluateOnCallFrame(session, params) {
  const frame = frameOf(params.callFrameId);
  if (typeof params.expression !== 'string') throw new ProtocolError('Invalid parameters', -32602);
  const { evaluated, withCommandLine } = require('internal/inspector/runtime');
  const run = () => frames.evaluate(frame.level, params.expression);
  return evaluated(session, params,
    params.includeCommandLineAPI ? () => withCommandLine(session, run) : run);
}

function setPauseOnExceptions(session, { state }) {
  if (!Object.hasOwn(PAUSE_ON, state)) {
    throw new ProtocolError(`Unknown pause on exceptions mode: ${state}`);
  }
  session.state.pauseOn = state;
  updateNative();
}

function setVariableValue(session, { callFrameId, scopeNumber, variableName, newValue }) {
  const { fromArgument } = require('internal/inspector/runtime');
  const frame = frameOf(callFrameId);
  frames.setVariable(frame, scopeNumber, variableName, fromArgument(session, newValue));
}

function searchInContent(session, { scriptId, query, caseSensitive, isRegex }) {
  const text = isRegex ? query : query.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern = new RegExp(text, caseSensitive ? '' : 'i');
  const result = scriptOf(scriptId).source.split('\n')
    .flatMap((lineContent, lineNumber) =>
      (pattern.test(lineContent) ? [{ lineNumber, lineContent }] : []));
  return { result };
}

function setAsyncCallStackDepth(session, { maxDepth }) {
  if (!Number.isInteger(maxDepth)) throw new ProtocolError('Invalid parameters', -32602);
  session.state.asyncDepth = Math.min(maxDepth, MOST_ASYNC);
  const isWanted = deepest() > 0;
  if (isWanted === keepsAsync) return;
  keepsAsync = isWanted;
  require('internal/inspector/async_stacks').keep(isWanted);
}

const deepest = () =>
  Math.max(0, ...[...agent.sessions].map((session) => session.state.asyncDepth ?? 0));

const nothing = () => {};
const commands = {
  Debugger: {
    enable, disable, evaluateOnCallFrame, setPauseOnExceptions, setVariableValue, searchInContent,
    ...breakpoints.commands,
    pause: () => { if (paused === undefined) pauseSoon('other'); },
    resume: () => resume('none'),
    stepInto: () => resume('into'),
    stepOver: () => resume('over'),
    stepOut: () => resume('out'),
    continueToLocation(session, { location }) {
      breakpoints.setOnce(session, location);
      resume('none');
    },
    getScriptSource: (session, { scriptId }) => ({ scriptSource: scriptOf(scriptId).source }),
    getPossibleBreakpoints: (session, { start, end }) =>
      ({ locations: scripts.possible(scriptOf(start?.scriptId), start, end) }),
    setSkipAllPauses(session, { skip }) { skipsAll = skip === true; },
    setAsyncCallStackDepth,
    setBlackboxPatterns: nothing,
    setBlackboxedRanges: nothing,
    setInstrumentationBreakpoint: () => ({ breakpointId: 'instrumentation:1' }),
    getStackTrace: () => ({ stackTrace: { callFrames: [] } }),
  },
};

module.exports = { commands, onPause, onScript, pauseSoon, updateNative };
