'use strict';
// The bytes of v8.serialize, what deserialize makes of bytes, right or wrong, and the classes.
const v8 = require('v8');
const {inspect} = require('util');

function show(name, work) {
    let result;
    try {
        result = work();
        if (Buffer.isBuffer(result))
            result = result.toString('hex');
        else
            result = inspect(result, {depth: 4});
    } catch (error) {
        result = `${error.name} ${error.code} ${error.message}`;
    }
    console.log(`${name}: ${result}`);
}

const numbers = [1, -1, -0, 2 ** 30, 2 ** 31, 1.5, NaN, 0n, -1n, 2n ** 64n, -(2n ** 70n)];
const texts = ['', 'abc', 'é', '€', 'a€', 'x'.repeat(200), 'é'.repeat(100), '€'.repeat(100)];
const cases = {
    numbers: () => numbers,
    doubles: () => [1, 1.5],
    texts: () => texts,
    words: () => [true, false, null, undefined],
    holes: () => [1, , 3],
    'only holes': () => new Array(100),
    'array with a name': () => Object.assign([1, 2], {x: 1}),
    object: () => ({a: 1, 1: 2, b: {}, 4294967294: 3, 4294967295: 4, 1.5: 5, '-1': 6}),
    dates: () => [new Date(5), new Date(NaN)],
    regexps: () => [/a€/gi, /ab/dgimsuy, /a/v],
    maps: () => new Map([[1, 2], ['a', new Set([1, 'b'])]]),
    wrapped: () => [Object(1), Object(true), Object(false), Object('x'), Object(1n)],
    buffers: () => [new ArrayBuffer(3), new ArrayBuffer(2, {maxByteLength: 5})],
    views: () =>
        [Buffer.from('ab'), new Uint8Array([1, 2]), new DataView(new ArrayBuffer(4), 1, 2),
         new Float32Array(1), new Uint8ClampedArray(1), new Int8Array(1), new Int16Array(1),
         new Uint16Array(1), new Int32Array(1), new Uint32Array(1), new Float64Array(1),
         new BigInt64Array(1), new BigUint64Array(1), new Uint8Array(new SharedArrayBuffer(2))],
    'the same twice': () => {
        const one = {};
        const bytes = Buffer.from('a');
        return {m: new Map([[one, one]]), s: new Set([one]), b: [bytes, bytes], e: [/x/, one]};
    },
    'in itself': () => {
        const map = new Map([[1, 2]]);
        return map.set('s', map);
    },
    'of a class': () => new (class Foo {
        x = 1;
        #y = 2;
        get z() {
            return 3;
        }
    })(),
    getter: () => ({
        get a() {
            return 7;
        },
        [Symbol()]: 1,
        ['__proto__']: 2
    }),
    'deleted meanwhile': () => {
        const object = {
            a: 1,
            get b() {
                delete object.c;
                return 2;
            },
            c: 3
        };
        return object;
    },
    'changed meanwhile': () => {
        const array = [
            1, 2, {
                get x() {
                    array.length = 1;
                    return 5;
                }
            },
            4
        ];
        return array;
    },
    'getter that throws': () => ({
        get a() {
            throw new RangeError('boo');
        }
    }),
    function: () => () => 1,
    symbol: () => ({a: Symbol('q')}),
    shared: () => new SharedArrayBuffer(2),
    weak: () => new WeakMap(),
    promise: () => [Promise.resolve()],
    generator: () => (function*() {})(),
    proxies: () => new Proxy({}, {}),
    arrayProxies: () => new Proxy([], {}),
    native: () => structuredClone,
};
for (const [name, make] of Object.entries(cases)) {
    show(name, () => v8.serialize(make()));
    show('  and back', () => v8.deserialize(v8.serialize(make())));
}

console.log('errors');
for (const Type
         of [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]) {
    show(Type.name, () => v8.serialize(Object.assign(new Type('m'), {stack: 'S'})));
}
show('cause', () => v8.serialize(Object.assign(new Error('m', {cause: {a: 1}}), {stack: 'S'})));
show(
    'name',
    () => v8.serialize(Object.assign(new Error('m'), {stack: 'S', name: 'TypeError', code: 5})));
show('stack', () => v8.serialize(Object.assign(new Error(), {stack: 5})));
show('back', () => {
    const error =
        v8.deserialize(Buffer.from('ff0f72546d2201716349067322015 32e'.replace(' ', ''), 'hex'));
    return [error instanceof TypeError, Object.getOwnPropertyDescriptors(error)];
});
show('DOMException', () => v8.serialize(new DOMException('a', 'AbortError')));

console.log('bytes');
for (const hex
         of ['', 'ff', 'ff0f', 'ff10', '4902', 'ff0c4902', 'ff0d49', 'ff0f490200', 'ff0f6f',
             'ff0f6f7b01', 'ff0f410249024904240003', 'ff0f41ffffffff0f', 'ff0f61ffffffff0f400000',
             'ff0f5e00', 'ff0f5c0a05616263', 'ff0f5c0303616263', 'ff0f420300',
             'ff0f4203010203564201020000', 'ff0f42030102035642010201', 'ff0d4203010203563f0102',
             'ff0f4204010203045657010200', 'ff0f7e05026162', 'ff0f5301c3', 'ff0f5302c3a9',
             'ff0f6303616263', 'ff0f63026162', 'ff0f2205616263', 'ff0f4e0000', 'ff0fee', 'ff0f2d',
             'ff0f41012d240001', 'ff0f522201618004', 'ff0f3b490249043a04', 'ff0f27490249022c02',
             'ff0f722e', 'ff0f72582e', 'ff0f7273490a2e', 'ff0f5a10', 'ff0f5a01', 'ff0f7349',
             'ff0f7400', 'ff0f7500', 'ff0f55ffffffff0f', 'ff0f3f014902', 'ff0f00490200',
             'ff0f6f542201617b01', 'ff0f6f6f7b0049027b01', 'ff0f6f490222016149032201627b02',
             'ff0f6f22095f5f70726f746f5f5f6f7b007b01', 'ff0d6f2203666f6f5e007b01',
             'ff0d5c0404addeefbe', 'ff0f726d220161635e00732201532e'])
    show(hex, () => v8.deserialize(Buffer.from(hex, 'hex')));
show('no bytes', () => v8.deserialize('a'));
show('ArrayBuffer', () => v8.deserialize(new ArrayBuffer(4)));

console.log('classes');
const written = (work) => {
    const serializer = new v8.Serializer();
    work(serializer);
    return serializer.releaseBuffer();
};
const header = (work) => written((serializer) => {
    serializer.writeHeader();
    work(serializer);
});
show('without new', () => v8.Serializer());
show('Deserializer without new', () => v8.Deserializer());
show('numbers', () => written((s) => {
                    s.writeUint32(300);
                    s.writeUint32(-1);
                    s.writeUint64(1, 2);
                    s.writeUint64(0xffffffff, 0xffffffff);
                    s.writeDouble(1);
                    s.writeRawBytes(new Uint8Array(2));
                    s.writeRawBytes(new DataView(new ArrayBuffer(1)));
                }));
show('raw', () => written((s) => s.writeRawBytes('text')));
show('returns', () => {
    const s = new v8.Serializer();
    return [
        s.writeHeader(), s.writeValue(1), s.writeUint32(1), s.releaseBuffer(), s.releaseBuffer()
    ];
});
show('views', () => header((s) => {
                  const buffer = new ArrayBuffer(4);
                  s.writeValue([new Uint8Array(buffer, 1, 2), new Uint16Array(buffer), buffer]);
              }));
show(
    'views that follow',
    () => header((s) => {
        const buffer = new ArrayBuffer(4, {maxByteLength: 8});
        s.writeValue([new Uint8Array(buffer), new Uint8Array(buffer, 0, 2), new DataView(buffer)]);
    }));
show('moved', () => header((s) => {
                  const buffer = new ArrayBuffer(2);
                  s.transferArrayBuffer(5, buffer);
                  s.writeValue([buffer, new Uint8Array(buffer)]);
              }));
show('moved nothing', () => new v8.Serializer().transferArrayBuffer(5, {}));
show('shared', () => header((s) => {
                   s._getSharedArrayBufferId = () => 7;
                   s.writeValue(new SharedArrayBuffer(1));
               }));
show('own error', () => header((s) => {
                      s._getDataCloneError = (message) => new TypeError(`mine: ${message}`);
                      s.writeValue(() => 1);
                  }));
show('own objects', () => header((s) => {
                        s._setTreatArrayBufferViewsAsHostObjects(true);
                        s._writeHostObject = (view) => s.writeUint32(view.length + 40);
                        s.writeValue([new Uint8Array(1), new Uint8Array(2)]);
                    }));
const reader = (hex, work = (r) => r.readValue()) => {
    const deserializer = new v8.Deserializer(Buffer.from(hex, 'hex'));
    return work(deserializer);
};
show(
    'reads',
    () => reader(
        'ac02828080801001020304',
        (r) =>
            [r.readUint32(), r.readUint64(), r.readRawBytes(2), r._readRawBytes(1),
             r.getWireFormatVersion(), r.buffer]));
for (const name of ['readUint32', 'readUint64', 'readDouble', 'readHeader', 'readValue'])
    show(name, () => reader('', (r) => r[name]()));
show('readRawBytes', () => reader('', (r) => r.readRawBytes(1)));
show('without a header', () => reader('4902'));
show('no object', () => reader('5c', (r) => {
                      r._readHostObject = () => 5;
                      return r.readValue();
                  }));
show('own object', () => reader('41025c5c240002', (r) => {
                       let count = 0;
                       r._readHostObject = () => ({count: count++});
                       return r.readValue();
                   }));
show('not known how', () => reader('5c'));
show('moved here', () => reader('74055642010200', (r) => {
                       r.transferArrayBuffer(5, new Uint8Array([1, 2, 3]).buffer);
                       return r.readValue();
                   }));
show('two values', () => {
    const one = {};
    const bytes = header((s) => {
        s.writeValue(one);
        s.writeValue([one]);
    });
    return reader(
        bytes.toString('hex'), (r) => [bytes, r.readHeader(), r.readValue(), r.readValue()]);
});
show('too deep', () => {
    let value = [];
    for (let i = 0; i < 200000; i++) value = [value];
    return v8.serialize(value);
});
