'use strict';
const zlib = require('zlib');
const { pipeline, Readable } = require('stream');

function attempt(name, work) {
    try {
        console.log(name, work());
    } catch (error) {
        console.log(name, error.name, error.code, error.errno, error.message);
    }
}

const long = 'some text that repeats itself, '.repeat(3000);
attempt('deflate', () => zlib.deflateSync('abc').toString('hex'));
attempt('gzip', () => zlib.gzipSync('abc').toString('hex'));
attempt('raw', () => zlib.deflateRawSync(new Uint8Array([1, 2, 3]).buffer).toString('hex'));
attempt('level', () => zlib.deflateSync('abc', { level: 0 }).toString('hex'));
for (const [there, back] of [
    ['deflate', 'inflate'],
    ['gzip', 'gunzip'],
    ['deflate', 'unzip'],
    ['gzip', 'unzip'],
    ['deflateRaw', 'inflateRaw'],
])
    attempt(`${there} ${back}`, () => zlib[`${back}Sync`](zlib[`${there}Sync`](long)) == long);
attempt('empty', () => zlib.gunzipSync(zlib.gzipSync('')).length);
attempt('no header', () => zlib.inflateSync('abc'));
attempt('no gzip', () => zlib.gunzipSync('abcdef'));
attempt('nothing', () => zlib.inflateSync(''));
attempt('cut', () => zlib.inflateSync(zlib.deflateSync(long).subarray(0, 50)));
attempt('cut, but flushed', () =>
    zlib
        .inflateSync(zlib.deflateSync('abc').subarray(0, -4), {
            finishFlush: zlib.constants.Z_SYNC_FLUSH,
        })
        .toString(),
);
attempt('bad level', () => zlib.deflateSync('a', { level: 99 }));
attempt('bad window', () => zlib.deflateSync('a', { windowBits: 99 }));
attempt('bad input', () => zlib.deflateSync(3));
attempt('no callback', () => zlib.deflate('a'));
attempt('too large', () => zlib.gunzipSync(zlib.gzipSync(long), { maxOutputLength: 100 }));
const dictionary = Buffer.from('abcd');
const packed = zlib.deflateSync('abc', { dictionary });
attempt('dictionary', () => zlib.inflateSync(packed, { dictionary }).toString());
attempt('none', () => zlib.inflateSync(packed));
attempt('another', () => zlib.inflateSync(packed, { dictionary: Buffer.from('xyz') }));
attempt('members', () =>
    zlib.gunzipSync(Buffer.concat([zlib.gzipSync('abc'), zlib.gzipSync('def')])).toString(),
);
attempt('padding', () =>
    zlib.gunzipSync(Buffer.concat([zlib.gzipSync('abc'), Buffer.alloc(10)])).toString(),
);
attempt('garbage', () =>
    zlib.gunzipSync(Buffer.concat([zlib.gzipSync('abc'), Buffer.from([0x1f, 0x8b, 1, 2, 3])])),
);
attempt('crc', () => [zlib.crc32('hello'), zlib.crc32(Buffer.from('lo'), zlib.crc32('hel'))]);
attempt('codes', () => zlib.codes);

zlib.gzip(long, (error, bytes) => {
    console.log('gzip', error, bytes.length < 1000);
    zlib.gunzip(bytes, (failure, back) => {
        console.log('gunzip', failure, String(back) === long);
        zlib.inflate('no', problem => console.log(problem.code, problem.message));
    });
});

const pieces = [];
pipeline(
    Readable.from(Array.from({ length: 50 }, (_, i) => `${i} ${long}`)),
    zlib.createGzip(),
    zlib.createGunzip({ chunkSize: 1000 }),
    async function (source) {
        for await (const piece of source) pieces.push(piece);
    },
    error => {
        const text = Buffer.concat(pieces).toString();
        console.log(
            'streams',
            error,
            text.length,
            text.startsWith('0 some'),
            text.endsWith('itself, '),
        );
        flushes();
    },
);

function flushes() {
    const deflate = zlib.createDeflate();
    const inflate = zlib.createInflate();
    deflate.pipe(inflate);
    inflate.setEncoding('utf8');
    inflate.once('data', text => {
        console.log('flushed', text);
        deflate.end('rest');
        inflate.on('data', more => console.log('then', more));
        inflate.on('end', () => broken());
    });
    deflate.write('first');
    deflate.flush();
}

function broken() {
    const stream = zlib.createGunzip();
    stream.on('error', error => console.log('error', error.code, error.errno, error.message));
    stream.on('close', () => console.log('close', stream.bytesWritten));
    stream.write('this is no gzip');
}
