// needs: whole_names
// A name that was cut from a long text ends where it was cut, and does not keep the rest.
'use strict';

for (const around of ['x', '\u0128']) {
  const text = around.repeat(20000) + 'abc'.repeat(3000) + around.repeat(20000);
  const name = text.slice(20000, 29000);
  const object = { [name]: 1 };
  const symbol = Symbol.for(name);
  const file = (0, eval)(`(function f() {})\n//# sourceURL=${name}`);
  console.log(object['abc'.repeat(3000)], symbol.description.length, symbol.description === name,
    symbol === Symbol.for('abc'.repeat(3000)), Buffer.from(Object.keys(object)[0]).length,
    typeof file);
  try {
    null[name];
  } catch (error) {
    console.log(error.message.endsWith("'abc')") || error.message.includes('abcabc'));
  }
  process.env[name.slice(0, 50)] = name;
  console.log(process.env[name.slice(0, 50)].length);
}
