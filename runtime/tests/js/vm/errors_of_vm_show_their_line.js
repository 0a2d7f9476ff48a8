'use strict';
// What vm throws begins with the line that threw; lines and columns may be told to begin elsewhere.
const vm = require('vm');

function tell(work) {
  try {
    console.log(work());
  } catch (error) {
    const lines = String(error.stack).split('\n');
    const end = lines.findIndex((line) => line.startsWith('    at ') && line.includes('node:'));
    console.log(lines.slice(0, end === -1 ? lines.length : end).join('\n'));
    console.log('--');
  }
}

const { runInThisContext, runInNewContext } = vm;
tell(() => runInThisContext('\n  throw new Error("x")', 'f.vm'));
tell(() => runInThisContext('throw new Error("x")', { filename: 'f.vm', displayErrors: false }));
tell(() => runInNewContext('var x = 5; foo.bar()', {}, 'f.vm'));
tell(() => runInNewContext('var x = 5 5', {}, 'f.vm'));
tell(() => runInNewContext(' throw new Error(`y`)', {},
  { filename: 'f.vm', lineOffset: 32, columnOffset: 123 }));
const thrower = vm.compileFunction('throw new Error(a)', ['a', 'b'], { filename: 'f.vm' });
tell(() => thrower());
tell(() => vm.compileFunction('return a + b', ['a', 'b']).toString());
for (const options of [null, 'bad', 42, { timeout: 0 }, { timeout: 'a' }, { displayErrors: 1 },
  { breakOnSigint: null }])
  tell(() => new vm.Script('1').runInThisContext(options));

const sandbox = vm.createContext(Object.defineProperty({}, 'fixed', { value: 1 }));
const outside = vm.runInContext('this', sandbox);
try {
  vm.compileFunction('});\n(function() {');
} catch (error) {
  console.log(String(error));
}
try {
  outside.fixed = 2;
} catch (error) {
  console.log(error.message);
}
try {
  vm.runInContext('"use strict"; fixed = 2', sandbox);
} catch (error) {
  console.log(error.message);
}
