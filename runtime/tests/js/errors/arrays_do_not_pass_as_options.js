// An array is no object of options, and no settings; a sandbox may be one.
const assert = require('assert');
const path = require('path');
const vm = require('vm');
const http2 = require('http2');
const timers = require('timers/promises');

function told(what, call) {
  try {
    call();
    console.log(what, 'passes');
  } catch (error) {
    console.log(what, error.code, error.message);
  }
}

const script = new vm.Script('1');
for (const value of [[], null, () => {}]) {
  told('AssertionError', () => new assert.AssertionError(value));
  told('getPackedSettings', () => http2.getPackedSettings(value));
  told('path.format', () => path.format(value));
  told('path.win32.format', () => path.win32.format(value));
  told('createContext', () => vm.createContext(value));
  told('createContext with', () => vm.createContext({}, value));
  told('isContext', () => vm.isContext(value));
  told('codeGeneration', () => vm.createContext({}, { codeGeneration: value }));
  told('Script', () => new vm.Script('1', value));
  told('runInThisContext', () => script.runInThisContext(value));
  told('runInContext', () => vm.runInContext('1', value));
  told('runInNewContext', () => script.runInNewContext(value));
  told('compileFunction', () => vm.compileFunction('1', [], value));
}
told('an array as a sandbox', () => vm.runInContext('length', vm.createContext([1, 2])));
told('an extension', () => vm.compileFunction('1', [], { contextExtensions: [[]] }));
timers.setImmediate(1, []).catch((error) => console.log('setImmediate', error.message));
