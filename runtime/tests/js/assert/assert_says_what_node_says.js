'use strict';
const assert = require('assert');
const t = (f) => {
  try {
    f();
    console.log('ok');
  } catch (e) {
    console.log(e.name, e.code, e.message, e.generatedMessage, e.operator);
  }
};
t(() => assert.strictEqual(1, 2));
t(() => assert.strictEqual('a'.repeat(20), 'b'));
t(() => assert.equal(1, '1'));
t(() => assert.equal(1, 2));
t(() => assert.deepStrictEqual({ a: 1, b: 2 }, { a: 1, b: 3 }));
t(() => assert.deepEqual([1, 2, 3], [1, 2, '3']));
t(() => assert.deepStrictEqual([1, 2, 3], [1, 2, '3']));
t(() =>
  assert.throws(() => {
    throw new TypeError('x');
  }, TypeError),
);
t(
  () =>
    assert.throws(() => {
      throw new TypeError('x');
    }, RangeError) === 1,
);
t(() => assert.throws(() => {}));
t(() => assert.ok(0, 'msg'));
t(() => assert.notStrictEqual(1, 1));
t(() => assert.fail());
t(() => assert.fail('why'));
t(() => assert.match('abc', /x/));
t(() => assert.deepStrictEqual(new Map([[1, { a: 1 }]]), new Map([[1, { a: 1 }]])));
t(() => assert.deepStrictEqual(new Set([1, { a: 2 }]), new Set([1, { a: 2 }])));
t(() => assert.deepStrictEqual(NaN, NaN));
t(() => assert.deepStrictEqual(0, -0));
t(() => assert.ifError(null));
t(() => assert.ifError(new Error('e')));
t(() =>
  assert.throws(() => {
    throw new Error('abc');
  }, /abc/),
);
t(() =>
  assert.throws(
    () => {
      throw new Error('abc');
    },
    { message: 'abc' },
  ),
);
t(() =>
  assert.doesNotThrow(() => {
    throw new Error('q');
  }),
);
assert.rejects(Promise.reject(new Error('r')), /r/).then(() => console.log('rejects ok'));
