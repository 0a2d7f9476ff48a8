'use strict';
// Functions that are running: their places, their variables, and code that is evaluated among them.

const native = binding('inspector');
const scripts = require('internal/inspector/scripts');
const { ProtocolError } = require('internal/inspector/objects');

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
const OUTERMOST = ['<eval>', '<anonymous>', 'Object.<anonymous>'];
const AROUND = -1; // depth of the variables of functions around this one

function nameOf(fn) {
  const name = Object.getOwnPropertyDescriptor(fn, 'name')?.value;
  return typeof name !== 'string' || OUTERMOST.includes(name) ? '' : name;
}

// Innermost first.
function frames() {
  return native.frames().map(([level, fn, file, line, column, kind]) => ({
    level, fn, kind, file, line, column, functionName: nameOf(fn),
    location: scripts.locate(file, line, column),
    url: scripts.byFile.get(file)?.url ?? scripts.urlOf(file),
  }));
}

// For messages: where the program is.
function stackTrace(most = 200) {
  const callFrames = frames().slice(0, most).map(({ functionName, url, location }) =>
    ({ functionName, scriptId: location.scriptId, url, lineNumber: location.lineNumber,
      columnNumber: location.columnNumber }));
  return callFrames.length === 0 ? undefined : { callFrames };
}

// Those in sight: of blocks the innermost first, then of the function, then of those around it.
function readVariables(level) {
  return native.variables(level)
    .map(([name, value, slot, depth]) => ({ name, value, slot, depth }));
}

// As they stand in the program: parameters and then what the body declares.
function inOrder(variables) {
  return [...variables.filter(({ depth }) => depth <= 0),
    ...variables.filter(({ depth }) => depth > 0).reverse()];
}

// Groups of variables, innermost first: blocks, then the function, then what is around it.
function scopesOf({ level, fn, file }) {
  const all = readVariables(level);
  const isInModule = scripts.byFile.get(file)?.isModule === true;
  const isModule = isInModule && nameOf(fn) === '';
  const self = all.find(({ name }) => name === 'this')?.value;
  const groups = new Map();
  for (const variable of all) {
    if (variable.name === 'this' || variable.name.startsWith('<')) continue;
    const { depth } = variable;
    const key = depth === AROUND ? 'closure' : depth <= 1 ? 'local' : depth;
    if (!groups.has(key)) groups.set(key, []);
    const group = groups.get(key);
    if (!group.some(({ name }) => name === variable.name)) group.push(variable);
  }
  const blocks = [...groups.keys()].filter((key) => typeof key === 'number').sort((a, b) => b - a);
  const scopes = blocks.map((key) => ({ type: 'block', variables: inOrder(groups.get(key)) }));
  // What a module declares, others can see: to the engine it is around the module.
  if (isModule && groups.has('closure')) {
    scopes.push({ type: 'module', variables: inOrder(all.filter(({ name }) => name !== 'this')) });
    return { self, scopes };
  }
  scopes.push({ type: 'local', variables: inOrder(groups.get('local') ?? []) });
  if (groups.has('closure')) {
    scopes.push({ type: isInModule ? 'module' : 'closure', variables: groups.get('closure') });
  }
  return { self, scopes };
}

// Runs code as if it stood where the frame is. Its names are parameters of a function around the
// code; what the code has changed of them is written back.
function evaluate(level, expression) {
  const seen = new Map();
  let self;
  for (const variable of readVariables(level)) {
    if (variable.name === 'this') self = variable.value;
    else if (IDENTIFIER.test(variable.name) && variable.name !== 'eval' &&
        !seen.has(variable.name)) seen.set(variable.name, variable);
  }
  const names = [...seen.keys()].join(', ');
  const make = scripts.hide(() => binding('modules').runScript(
    `(function (phasorExpression${names && `, ${names}`}) {
      return [() => eval(phasorExpression), () => [${names}]];
    })`, '<evaluate>'));
  const before = [...seen.values()];
  const [run, read] = Reflect.apply(make, self,
    [expression, ...before.map(({ value }) => value)]);
  try {
    return scripts.hide(run);
  } finally {
    read().forEach((value, i) => {
      if (!Object.is(value, before[i].value)) native.setVariable(level, before[i].slot, value);
    });
  }
}

function setVariable(frame, scopeNumber, name, value) {
  const scope = scopesOf(frame).scopes[scopeNumber];
  const variable = scope?.variables.find((one) => one.name === name);
  if (scope === undefined) throw new ProtocolError('Could not find scope with given number');
  if (variable === undefined) throw new ProtocolError('Could not set variable');
  native.setVariable(frame.level, variable.slot, value);
}

module.exports = { frames, stackTrace, scopesOf, evaluate, setVariable };
