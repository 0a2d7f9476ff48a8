'use strict';
// doesNotThrow asks functions; a thenable has `catch`; carets stand below the text that is seen.

const assert = require('assert');
const util = require('util');

function show(work) {
  try {
    work();
    console.log('nothing');
  } catch (error) {
    console.log(error?.name, error?.code, error?.message);
  }
}

const raise = () => { throw new Error('x'); };
show(() => assert.doesNotThrow(raise, () => true));
show(() => assert.doesNotThrow(raise, () => false));
show(() => assert.doesNotThrow(raise, () => true, 'told'));
show(() => assert.doesNotThrow(raise, TypeError));
show(() => assert.doesNotThrow(raise, Error));
show(() => assert.doesNotThrow(raise, class Judge {}));
show(() => assert.doesNotThrow(raise, /y/));
show(() => assert.doesNotThrow(() => { throw 3; }, (value) => value === 3));
show(() => assert.doesNotThrow(() => { throw undefined; }, (value) => value === undefined));

const settle = async (name, promise) => {
  await promise.then(() => console.log(name, 'fulfilled'),
    (error) => console.log(name, error.code, error.message));
};
const half = { then(resolve) { resolve(); } };
const whole = { then(_, reject) { reject(new Error('thenable')); }, catch() {} };
(async () => {
  await settle('half', assert.rejects(half));
  await settle('half of a function', assert.rejects(() => half));
  await settle('whole', assert.rejects(whole, /thenable/));
  await settle('judged', assert.doesNotReject(async () => raise(), () => true));

  util.inspect.defaultOptions.colors = true;
  show(() => assert.strictEqual(111554n, 11111115));
  show(() => assert.strictEqual('abcdefghi', 'abcdefghj'));
  show(() => assert.strictEqual(1, 2));
  show(() => assert.strictEqual(-0, 0));
})();
