// needs: bytes
// What a program says of a view's length is not what its bytes are.
const crypto = require('crypto');
const lying = new DataView(new ArrayBuffer(4));
Object.defineProperty(lying, 'byteLength', { value: 1000000 });
Object.defineProperty(lying, 'byteOffset', { value: 100000 });
Object.defineProperty(lying, 'buffer', { value: new ArrayBuffer(1) });
const hash = (value) => crypto.createHash('md5').update(value).digest('hex');
console.log(hash(lying) === hash(Buffer.alloc(4)));
const array = new Uint8Array(4);
Object.defineProperty(array, 'byteLength', { value: 1000000 });
Object.defineProperty(array, 'length', { value: 1000000 });
console.log(hash(array) === hash(Buffer.alloc(4)));
const bytes = Buffer.from('hello');
const odd = [NaN, -1, -5, 2 ** 53, -(2 ** 53), 2 ** 32, 2 ** 31, Infinity, -Infinity, 1.5, 5, 6];
const told = (call) => {
  try {
    return call();
  } catch (error) {
    return error.code ?? error.name;
  }
};
for (const number of odd) {
  console.log(number, JSON.stringify([
    () => bytes.toString('latin1', number, 3), () => bytes.toString('latin1', 1, number),
    () => bytes.subarray(number).length, () => bytes.subarray(0, number).length,
    () => bytes.indexOf('l', number), () => bytes.lastIndexOf('l', number),
    () => bytes.indexOf('', number), () => bytes.includes('o', number),
    () => Buffer.alloc(5).fill('a', number).toString('latin1'),
    () => Buffer.alloc(5).fill('ab', 0, number).toString('latin1'),
    () => bytes.copy(Buffer.alloc(5), number), () => bytes.copy(Buffer.alloc(5), 0, number),
    () => bytes.copy(Buffer.alloc(5), 0, 0, number),
    () => Buffer.alloc(5).write('abc', number), () => Buffer.alloc(5).write('abc', 0, number),
    () => bytes.compare(bytes, number), () => bytes.compare(bytes, 0, number),
    () => bytes.compare(bytes, 0, 5, number), () => bytes.compare(bytes, 0, 5, 0, number),
    () => bytes.readInt8(number), () => bytes.readUIntBE(0, number),
    () => Buffer.alloc(5).writeInt16LE(1, number),
  ].map(told)));
}
for (const name of ['latin1', 'ascii', 'utf8', 'ucs2', 'hex', 'base64', 'base64url']) {
  console.log(name, bytes[`${name}Slice`](0, 3), bytes[`${name}Slice`](1), bytes[`${name}Slice`](),
    told(() => Buffer.alloc(5)[`${name}Write`]('6162', 1, 2)));
}
