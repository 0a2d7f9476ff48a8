const { Buffer, kMaxLength, constants, transcode, isUtf8, isAscii } = require('buffer');
const show = (...values) => console.log(...values);
for (const encoding of [
    'utf8',
    'hex',
    'base64',
    'base64url',
    'latin1',
    'ascii',
    'utf16le',
    'binary',
    'ucs2',
]) {
    const bytes = Buffer.from('68656cff', encoding === 'hex' ? 'hex' : 'latin1');
    show(
        encoding,
        bytes.toString(encoding),
        Buffer.from(bytes.toString(encoding), encoding),
        Buffer.isEncoding(encoding),
        Buffer.byteLength('häß€😀', encoding),
        Buffer.from('häß€😀', encoding),
    );
}
show(
    Buffer.alloc(4, 'ab'),
    Buffer.alloc(3, 1),
    Buffer.alloc(2),
    Buffer.from([1, 256, -1, 1.7, '3']),
    Buffer.from(new Uint16Array([1, 257])),
    Buffer.from(Buffer.from('x')),
    Buffer.from({ length: 2, 0: 5, 1: 6 }),
);
show(
    Buffer.from('zz', 'hex'),
    Buffer.from('abc', 'hex'),
    Buffer.from('YQ', 'base64'),
    Buffer.from('_-8', 'base64'),
);
const b = Buffer.from('hello world');
show(
    b.slice(1, 3),
    b.subarray(-3),
    b.indexOf('o'),
    b.indexOf('o', 5),
    b.lastIndexOf('o'),
    b.includes('wor'),
    b.indexOf(Buffer.from('ld')),
    b.indexOf(119),
    b.indexOf(''),
    b.lastIndexOf('zz'),
    b.equals(Buffer.from('hello world')),
);
show(
    b.toString('utf8', 2, 5),
    b.toJSON(),
    b.at(-1),
    b.fill('xy', 2, 6),
    b.write('AB', 1),
    b.copy(Buffer.alloc(3), 0, 1),
);
show(
    Buffer.concat([Buffer.from('a'), Buffer.from('bc')]),
    Buffer.concat([Buffer.from('abc')], 2),
    Buffer.compare(Buffer.from('a'), Buffer.from('b')),
);
const n = Buffer.alloc(32);
show(
    n.writeInt32BE(-5),
    n.writeUInt16LE(500, 4),
    n.writeDoubleBE(1.5, 6),
    n.writeFloatLE(-2.5, 14),
    n.writeBigInt64LE(-3n, 18),
    n.writeUIntBE(0x123456, 26, 3),
    n,
);
show(
    n.readInt32BE(),
    n.readUInt16LE(4),
    n.readDoubleBE(6),
    n.readFloatLE(14),
    n.readBigInt64LE(18),
    n.readUIntBE(26, 3),
    n.readInt8(3),
    n.readIntLE(26, 3),
);
for (const bad of [
    () => n.readInt8(32),
    () => n.writeUInt8(256),
    () => n.readInt8('x'),
    () => Buffer.alloc(-1),
    () => Buffer.from(5),
    () => Buffer.from('x', 'no'),
    () => n.writeInt16BE(40000),
    () => Buffer.concat('x'),
    () => n.readUIntBE(0, 7),
    () => Buffer.alloc('5'),
    () => n.toString('bad'),
]) {
    try {
        show('fine', bad());
    } catch (error) {
        show(error.name, error.code, error.message);
    }
}
show(
    Buffer.from('abcdef').swap16(),
    Buffer.from('abcd').swap32(),
    Buffer.from([1, 2]).reverse(),
    Buffer.from('ab').readUint8 === Buffer.prototype.readUInt8,
);
show(
    kMaxLength === constants.MAX_LENGTH,
    Buffer.poolSize,
    isUtf8(Buffer.from([0xff])),
    isAscii(Buffer.from('a')),
    transcode(Buffer.from('€'), 'utf8', 'latin1'),
);
show(
    Buffer.from('€').toString('latin1'),
    Buffer.from([0xe2, 0x82]).toString(),
    Buffer.from([0xf0, 0x9f, 0x98, 0x80, 0xed, 0xa0, 0x80]).toString(),
);
show(
    [...Buffer.from('ab').entries()],
    [...Buffer.from('ab')],
    Buffer.isBuffer(n),
    Buffer.isBuffer(new Uint8Array(1)),
    n.buffer instanceof ArrayBuffer,
    b.parent === b.buffer,
);
show(
    Buffer.from('a'.repeat(60)),
    new Uint8Array(Buffer.from('ab')),
    atob('aGk='),
    btoa('hi'),
    Buffer.from('test').map(x => x + 1),
    Buffer.of(1, 2),
);

{
  const letters = Buffer.from('abcdefghij');
  const filled = (...args) => Buffer.from(letters).fill(...args).toString();
  console.log(filled('xyz'), filled('xyz', 2, 9), filled('xyz', 9), filled('xyz', 5, 5));
  const own = Buffer.from(letters);
  console.log(own.fill(own.subarray(1, 3)).toString());
  const shifted = Buffer.from(letters);
  console.log(shifted.fill(shifted.subarray(4, 8), 1).toString());
  const itself = Buffer.from(letters);
  console.log(itself.fill(itself, 3).toString());
  console.log(Buffer.alloc(7, 'é'), Buffer.alloc(6, '616263', 'hex').toString());
}
