'use strict';
const { Session } = require('inspector');

const session = new Session();
session.connect();
const post = (method, params) => {
  let answer;
  session.post(method, params, (error, result) => { answer = error ? error.message : result; });
  return answer;
};
const tidy = (value) => JSON.parse(JSON.stringify(value, (key, item) =>
  (['objectId', 'stackTrace', 'scriptId', 'exceptionId', 'timestamp', 'executionContextId',
    'lineNumber', 'columnNumber'].includes(key) ? undefined : item)));

for (const expression of ['1 + 1', '-0', 'NaN', '10n', '"text"', 'null', 'undefined', 'true',
  'Symbol("s")', '[1, 2]', '({ a: 1 })', 'new Map([[1, 2]])', 'new Set([1])', '/x/g',
  'new Date(NaN)', 'new Uint8Array(3)', 'new ArrayBuffer(4)', '(class A {})', 'x => x',
  'new (class Point {})', 'Promise.resolve(1)', 'new Proxy({}, {})', 'new WeakMap()']) {
  console.log(expression, tidy(post('Runtime.evaluate', { expression }).result));
}
for (const expression of ['({ a: [1, { b: "c" }], d: undefined, e: null })', '[1, "2", true]',
  '5']) {
  console.log(tidy(post('Runtime.evaluate', { expression, returnByValue: true }).result));
}
console.log(JSON.stringify(tidy(post('Runtime.evaluate',
  { expression: '({ a: 1, b: "two", c: [1], d: { e: 1 }, f: null, g: 7 })',
    generatePreview: true }).result.preview)));

const thrown = post('Runtime.evaluate', { expression: 'throw new TypeError("no")' });
console.log(thrown.result.className, thrown.exceptionDetails.text,
  thrown.exceptionDetails.exception.description.split('\n')[0]);

const { result: { objectId } } = post('Runtime.evaluate',
  { expression: '({ get a() { return 1; }, [Symbol("s")]: 2, list: [1, 2] })' });
console.log(post('Runtime.getProperties', { objectId, ownProperties: true }).result
  .map(({ name, enumerable, isOwn, get, value }) =>
    [name, enumerable, isOwn, get?.type, value?.description]));
console.log(post('Runtime.callFunctionOn', { objectId, returnByValue: true,
  functionDeclaration: 'function (n, o) { return [this.a, n, o === this]; }',
  arguments: [{ value: 5 }, { objectId }] }).result.value);
post('Runtime.releaseObject', { objectId });
console.log(post('Runtime.getProperties', { objectId }));
console.log(post('Runtime.getProperties', { objectId: 'wrong' }));

const told = [];
session.on('Runtime.consoleAPICalled', ({ params }) =>
  told.push(tidy({ type: params.type, args: params.args })));
session.post('Runtime.enable', () => {});
told.length = 0; // what was said before is told again
console.warn('a', 1);
console.info({ b: 1 });
session.post('Runtime.disable');
console.log(told);

session.post('Runtime.evaluate', { expression: 'Promise.reject(new Error("later"))',
  awaitPromise: true }, (error, { exceptionDetails }) => {
  console.log(exceptionDetails.text, exceptionDetails.exception.className);
  session.disconnect();
  try {
    session.post('Runtime.enable');
  } catch (failure) {
    console.log(failure.code);
  }
});
