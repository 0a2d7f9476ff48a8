'use strict';
// inspector.js SEED COUNT: commands of the inspector with hostile parameters, from a client in this
// process. It passes if the process lives to its end and each command is answered.
const inspector = require('inspector');

let state = (Number(process.argv[2] ?? 1) * 2654435761) >>> 0 || 1;
const count = Number(process.argv[3] ?? 100);
function random(below) {
  state ^= state << 13;
  state >>>= 0;
  state ^= state >>> 17;
  state ^= state << 5;
  state >>>= 0;
  return state % below;
}
const pick = (list) => list[random(list.length)];

const METHODS = `Runtime.enable Runtime.evaluate Runtime.callFunctionOn Runtime.getProperties
  Runtime.releaseObject Runtime.releaseObjectGroup Runtime.compileScript Runtime.runScript
  Runtime.awaitPromise Runtime.globalLexicalScopeNames Runtime.disable Debugger.enable
  Debugger.setBreakpointByUrl Debugger.setBreakpoint Debugger.removeBreakpoint Debugger.pause
  Debugger.getPossibleBreakpoints Debugger.getScriptSource Debugger.resume Debugger.stepOver
  Debugger.evaluateOnCallFrame Debugger.setVariableValue Debugger.setPauseOnExceptions
  Debugger.searchInContent Debugger.setSkipAllPauses Debugger.continueToLocation Debugger.disable
  Profiler.enable Profiler.start Profiler.stop Profiler.setSamplingInterval Profiler.disable
  HeapProfiler.enable HeapProfiler.takeHeapSnapshot NodeRuntime.enable NodeWorker.enable
  Schema.getDomains Network.enable No.such nothing`.split(/\s+/);
const NAMES = `expression objectId url urlRegex lineNumber columnNumber condition scriptId start end
  location callFrameId scopeNumber variableName newValue state query isRegex objectGroup
  returnByValue generatePreview awaitPromise replMode contextId functionDeclaration arguments
  executionContextId promiseObjectId persistScript sourceURL interval skip ownProperties
  timeout`.split(/\s+/);
const VALUES = [0, 1, -1, 1e9, NaN, 2 ** 53, null, true, false, '', 'x', '1', '1.1.1', '1.1.9', '(',
  '[', 'a'.repeat(3000), '\ud800', '1+1', '({a:1})', 'new Map([[1,2]])', 'throw 1', 'work()',
  'function () { return this }', [], [1], [{ value: 1 }], [{ objectId: '1.1.1' }], {},
  { scriptId: '1', lineNumber: 1 }, { value: 1 }, { unserializableValue: 'NaN' },
  '{"ordinal":0}', '{"ordinal":9}', __filename, `file://${__filename}`, 'all', 'none'];

globalThis.work = function work() {
  let sum = 0;
  for (let i = 0; i < 3; i++) sum += i;
  debugger;
  return sum;
};

function command(session, depth) {
  const params = {};
  for (let i = random(7); i > 0; i--) params[pick(NAMES)] = pick(VALUES);
  let isAnswered = false;
  const method = pick(METHODS);
  session.post(method, params, () => { isAnswered = true; });
  if (!isAnswered && !params.awaitPromise && params.replMode === undefined &&
      method !== 'Runtime.awaitPromise') {
    throw new Error(`${method} was not answered: ${JSON.stringify(params)}`);
  }
  if (depth === 0 && random(5) === 0) globalThis.work();
}

const sessions = [new inspector.Session(), new inspector.Session()];
for (const session of sessions) {
  session.connect();
  session.on('Debugger.paused', () => { for (let i = 0; i < 3; i++) command(session, 1); });
}
for (let i = 0; i < count; i++) command(pick(sessions), 0);
for (const session of sessions) session.disconnect();
console.log('all answered');
