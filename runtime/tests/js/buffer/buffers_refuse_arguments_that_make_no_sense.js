'use strict';
const show = (e) => (e instanceof Error ? `${e.name} ${e.code} ${e.message}` : e);
const t = (name, f) => {
    let r;
    try {
        r = f();
    } catch (e) {
        r = show(e);
    }
    console.log(name, r);
};
const odd = [undefined, null, NaN, -1, 0, 1, 1.7, 3, 100, Infinity, '1', 'x', true, {}, 2 ** 40];
for (const o of odd) {
    t(['fill number', o], () => Buffer.alloc(3).fill(65, o));
    t(['fill number end', o], () => Buffer.alloc(3).fill(65, 0, o));
    t(['fill text', o], () => Buffer.alloc(3).fill('ab', o));
    t(['fill text end', o], () => Buffer.alloc(3).fill('ab', 0, o));
    t(['fill value', o], () => Buffer.alloc(3).fill(o));
    t(['write off', o], () => Buffer.alloc(3).write('ab', o));
    t(['write len', o], () => {
        const b = Buffer.alloc(3);
        return [b.write('ab', 0, o), b];
    });
    t(['toString', o], () => Buffer.from('abc').toString('utf8', o));
    t(['toString end', o], () => Buffer.from('abc').toString('utf8', 0, o));
    t(['slice', o], () => Buffer.from('abc').slice(o));
    t(['subarray end', o], () => Buffer.from('abc').subarray(0, o));
    t(['copy t', o], () => {
        const b = Buffer.alloc(3);
        return [Buffer.from('abc').copy(b, o), b];
    });
    t(['copy s', o], () => {
        const b = Buffer.alloc(3);
        return [Buffer.from('abc').copy(b, 0, o), b];
    });
    t(['copy e', o], () => {
        const b = Buffer.alloc(3);
        return [Buffer.from('abc').copy(b, 0, 0, o), b];
    });
    t(['copy to', o], () => Buffer.from('abc').copy(o));
    t(['compare', o], () => Buffer.from('abc').compare(Buffer.from('abd'), o));
    t(['compare e', o], () => Buffer.from('abc').compare(Buffer.from('abd'), 0, o));
    t(['compare ts', o], () => Buffer.from('abc').compare(Buffer.from('abd'), 0, 3, o));
    t(['compare te', o], () => Buffer.from('abc').compare(Buffer.from('abd'), 0, 3, 0, o));
    t(['indexOf', o], () => Buffer.from('abcabc').indexOf('b', o));
    t(['lastIndexOf', o], () => Buffer.from('abcabc').lastIndexOf('b', o));
    t(['indexOf v', o], () => Buffer.from('abcabc').indexOf(o));
    t(['alloc', o], () => Buffer.alloc(o).length > 1000);
    t(['allocUnsafe', o], () => Buffer.allocUnsafe(o).length > 1000);
    t(['from', o], () => Buffer.from(o));
    if (o !== -1) t(['from ab', o], () => Buffer.from(new ArrayBuffer(4), o));
    t(['from ab len', o], () => Buffer.from(new ArrayBuffer(4), 0, o));
    t(['concat', o], () =>
        Buffer.concat([Buffer.from('ab'), Buffer.from('cd')], o).length > 1000
            ? 'long'
            : Buffer.concat([Buffer.from('ab'), Buffer.from('cd')], o),
    );
    t(['readUInt8', o], () => Buffer.from('abcdefgh').readUInt8(o));
    t(['readInt32LE', o], () => Buffer.from('abcdefgh').readInt32LE(o));
    t(['readUIntBE', o], () => Buffer.from('abcdefgh').readUIntBE(0, o));
    t(['readDoubleLE', o], () => Buffer.from('abcdefgh').readDoubleLE(o));
    t(['readBigInt64LE', o], () => Buffer.from('abcdefgh').readBigInt64LE(o));
    t(['writeUInt8', o], () => {
        const b = Buffer.alloc(8);
        return [b.writeUInt8(o), b];
    });
    t(['writeInt16BE', o], () => {
        const b = Buffer.alloc(8);
        return [b.writeInt16BE(o), b];
    });
    t(['writeUInt8 off', o], () => {
        const b = Buffer.alloc(8);
        return [b.writeUInt8(1, o), b];
    });
    t(['writeUIntLE', o], () => {
        const b = Buffer.alloc(8);
        return [b.writeUIntLE(o, 0, 3), b];
    });
    t(['writeIntLE', o], () => {
        const b = Buffer.alloc(8);
        return [b.writeIntLE(1, 0, o), b];
    });
    t(['writeDoubleBE', o], () => {
        const b = Buffer.alloc(8);
        return [b.writeDoubleBE(o), b];
    });
    t(['byteLength', o], () => Buffer.byteLength(o));
    t(['copyBytesFrom', o], () => Buffer.copyBytesFrom(new Uint16Array([1, 2, 3]), o));
    t(['copyBytesFrom len', o], () => Buffer.copyBytesFrom(new Uint16Array([1, 2, 3]), 1, o));
    t(['copyBytesFrom v', o], () => Buffer.copyBytesFrom(o));
    t(['equals', o], () => Buffer.alloc(1).equals(o));
    t(['Buffer.compare', o], () => Buffer.compare(Buffer.alloc(1), o));
    t(['concat list', o], () => Buffer.concat(o));
    if (o != null) t(['concat item', o], () => Buffer.concat([o]));
}
for (const x of [
    '',
    'a',
    'ab',
    'abc',
    'a=',
    'YQ',
    'YQ==',
    'YWI=',
    'YW I=',
    'YW\nI',
    '=',
    '-_',
    'é',
    '6',
    '61',
    '6g',
    '616',
    'zz',
]) {
    for (const e of ['hex', 'base64', 'base64url', 'latin1', 'ascii', 'utf16le']) {
        t([x, e], () => Buffer.from(x, e));
        t([x, e, 'len'], () => Buffer.byteLength(x, e));
    }
    t(['atob', x], () => atob(x));
    t(['btoa', x], () => btoa(x));
}
for (const v of [
    [1, 2, 257, -1, 'a', '7', null],
    { length: 2, 0: 5 },
    { type: 'Buffer', data: [1] },
    new String('x'),
    {
        valueOf() {
            return 'hi';
        },
    },
    {
        [Symbol.toPrimitive]() {
            return 'p';
        },
    },
    new Map(),
    () => {},
    Symbol('x'),
    5n,
    /x/,
    new Uint16Array([1, 300]),
    new DataView(new ArrayBuffer(2)),
    new Float32Array([1.5]),
    new Set([1]),
])
    t(v, () => Buffer.from(v));
const {
    Blob,
    isUtf8,
    isAscii,
    constants,
    kMaxLength,
    transcode,
    resolveObjectURL,
    INSPECT_MAX_BYTES,
} = require('buffer');
t('isUtf8', () => [
    isUtf8(Buffer.from('é')),
    isUtf8(Buffer.from([0xff])),
    isUtf8(Buffer.from('\ufffd')),
]);
t('isAscii', () => [
    isAscii(Buffer.from('é')),
    isAscii(Buffer.from('abc')),
    isAscii(Buffer.from('aé').subarray(0, 1)),
]);
t('isUtf8 bad', () => isUtf8('x'));
t('isAscii bad', () => isAscii(5));
t('swap', () => Buffer.from('abcd').swap16());
t('swapbad', () => Buffer.from('abc').swap16());
t('swap32bad', () => Buffer.from('abc').swap32());
t('json', () => JSON.stringify(Buffer.from('hi')));
t('keys', () => Object.keys(Buffer.from('ab')));
t('transcode', () => transcode(Buffer.from('€é'), 'utf8', 'latin1'));
t('transcode', () => transcode(Buffer.from('€'), 'utf8', 'ucs2'));
t('transcode', () => transcode('x', 'utf8', 'ucs2'));
t('inspect', () => Buffer.alloc(60));
t('inspect', () => Object.assign(Buffer.from('a'), { x: 1 }));
t('iter', () => [
    [...Buffer.from('ab').entries()],
    [...Buffer.from('ab').keys()],
    [...Buffer.from('ab').values()],
]);
t('map', () => Buffer.from('ab').map((x) => x + 1));
t('filter', () => Buffer.from('ab').filter((x) => x > 97));
t('at', () => Buffer.from('ab').at(-1));
