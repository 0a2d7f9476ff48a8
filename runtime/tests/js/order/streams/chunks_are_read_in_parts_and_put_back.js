'use strict';
const { Readable } = require('stream');

const show = (chunk) => (chunk === null ? 'null' : `${typeof chunk} ${chunk}`);
const fill = (options) => {
  const stream = new Readable({ highWaterMark: 8, ...options, read() {} });
  for (const text of ['ab', 'cdefg', 'h', 'ijklm']) stream.push(text);
  return stream;
};
for (const sizes of [[1, 2, 3, 4], [13], [14], [3, 20, undefined], [0, undefined], [7, 6, 1],
  ['4', 2.9, -1, NaN, null]]) {
  for (const options of [{}, { encoding: 'utf8' }, { encoding: 'latin1' }]) {
    const stream = fill(options);
    console.log(sizes.map((size) => show(stream.read(size))).join('; '), stream.readableLength);
  }
}
const stream = fill({});
console.log(show(stream.read(3)), stream.unshift(Buffer.from('XY')), show(stream.read(4)));
stream.setEncoding('hex');
console.log(show(stream.read(3)), stream.readableLength, stream.unshift(Buffer.from('z')));
console.log(show(stream.read()), stream.push('é'), stream.push(Buffer.from([0xc3])));
stream.push(null);
console.log(stream.push === Readable.prototype.push, show(stream.read()));
stream.on('error', (error) => console.log(error.code)).on('end', () => {
  console.log('end', stream.unshift('late'));
});
stream.resume();
const late = fill({});
late.on('error', (error) => console.log(error.code)).on('close', () => console.log('close'));
late.push(null);
console.log(late.push('more'), late.push(null));
for (const value of [5, {}, true, Symbol.iterator]) {
  const other = new Readable({ read() {} });
  other.on('error', (error) => console.log(error.code, error.message));
  console.log(other.push(value), other.destroyed);
}
try {
  fill({}).read(2 ** 31);
} catch (error) {
  console.log(error.code, error.message);
}
const objects = new Readable({ objectMode: true, read() {} });
for (const value of [0, '', undefined, false, { a: 1 }]) objects.push(value);
objects.push(null);
objects.on('data', (value) => console.log(value)).on('end', () => console.log('objects end'));
