'use strict';
// Error.prepareStackTrace is asked when a stack is first read, in every world of vm.
const vm = require('vm');

const made = [];
Error.prepareStackTrace = (error, sites) => {
  made.push(error.message);
  return `${error.name}: ${error.message} [${sites[0].getFunctionName()}]`;
};
function maker() { return new Error('early'); }
const error = maker();
error.message = 'late';
error.name = 'Later';
console.log(made, error.stack, error.stack, made);
maker();
console.log(made.length);
const back = maker();
Error.prepareStackTrace = undefined;
console.log(back.stack.split('\n').slice(0, 2).map((line) => line.replace(/ \(.*/, '')));

Error.prepareStackTrace = (_, sites) => sites;
const holder = {};
Error.captureStackTrace(holder);
console.log(Array.isArray(holder.stack), typeof holder.stack[0].getLineNumber());
function hidden() {
  const inner = {};
  Error.captureStackTrace(inner, hidden);
  return inner.stack[0].getFunctionName();
}
function caller() { return hidden(); }
console.log(caller());

Error.prepareStackTrace = () => { throw new TypeError('in prepare'); };
try {
  console.log(new Error('bad').stack);
} catch (thrown) {
  console.log(thrown instanceof TypeError);
}
Error.prepareStackTrace = (failed) => `nested ${failed.stack.split('\n')[0]}`;
console.log(new Error('n').stack, Object.freeze(new Error('frozen')).stack);
Error.prepareStackTrace = undefined;
console.log(new Error('plain').stack.split('\n')[0]);

vm.runInContext(`
const first = (error) => console.log(error.stack.split('\\n')[0]);
function fail() {
  const error = new Error('captured');
  Error.captureStackTrace(error, fail);
  return error;
}
first(new Error('in a context'));
first(fail());
const bare = {};
Error.captureStackTrace(bare);
first(bare);
try { null.x; } catch (error) { first(error); }
Error.prepareStackTrace = (error, sites) => error.message + typeof sites[0].getFileName() +
  sites[0].isNative() + sites[0].isEval() + typeof String(sites[0]);
const late = new Error('early');
late.message = 'late ';
first(late);
Error.prepareStackTrace = undefined;
first(new RangeError('again'));
`, vm.createContext({ console }), 'context.js');
first();
function first() { console.log(new Error('outside').stack.split('\n')[0]); }
