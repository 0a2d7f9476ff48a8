'use strict';
const path = require('path');

function sites() {
  const before = Error.prepareStackTrace;
  Error.prepareStackTrace = (error, all) => all;
  const holder = {};
  Error.captureStackTrace(holder, sites);
  const { stack } = holder;
  Error.prepareStackTrace = before;
  return stack;
}

function show(name, site) {
  console.log(name, [path.basename(`${site.getFileName()}`), site.getLineNumber(),
    site.getFunctionName(), site.isToplevel(), site.isEval(), site.isNative(),
    site.isConstructor(), site.isAsync(), site.isPromiseAll(), site.getPromiseIndex(),
    site.getEvalOrigin(), site.getThis(), site.getTypeName()].join(' | '));
}

function plain() {
  return sites()[0];
}

show('module', sites()[0]);
show('function', plain());
show('anonymous', (() => sites()[0])());
class Made {
  constructor() { this.site = sites()[0]; }
}
show('constructor', new Made().site);
console.log(`${plain()}`.replace(__dirname, ''), typeof plain().getColumnNumber());
console.log(sites()[0].toString().replace(__dirname, ''));
// Built-in functions are frames, apply is none.
console.log([1].map(() => sites()[1].getFunctionName()),
  Reflect.apply(() => sites()[1].getFunctionName(), null, []));
console.log(new Error('plain again').stack.split('\n')[0]);

const evaluated = (0, eval)('(sites) => sites()[0]')(sites);
console.log(evaluated.isEval(), evaluated.getFileName(), evaluated.getLineNumber());
