'use strict';
const show = (e) => (e instanceof Error ? `${e.name} ${e.code} ${e.message}` : String(e));
for (const e of [5, {}, null, undefined, true, [], 'bad', '', 'UTF8', 'Latin1', () => {}])
    for (const f of [
        'from',
        'alloc',
        'byteLength',
        'write',
        'toString',
        'fill',
        'indexOf',
        'includes',
        'lastIndexOf',
        'isEncoding',
        'transcode',
        'write4',
    ]) {
        let r;
        try {
            r = {
                from: () => Buffer.from('61', e),
                alloc: () => Buffer.alloc(3, 'abc', e),
                byteLength: () => Buffer.byteLength('61é', e),
                write: () => Buffer.alloc(3).write('61', e),
                toString: () => Buffer.from('a').toString(e),
                fill: () => Buffer.alloc(2).fill('61', e),
                indexOf: () => Buffer.from('61').indexOf('1', 0, e),
                includes: () => Buffer.from('61').includes('1', 0, e),
                lastIndexOf: () => Buffer.from('61').lastIndexOf('1', 1, e),
                isEncoding: () => Buffer.isEncoding(e),
                transcode: () => require('buffer').transcode(Buffer.from('a'), e, 'utf8'),
                write4: () => Buffer.alloc(4).write('61', 0, 2, e),
            }[f]();
        } catch (x) {
            r = show(x);
        }
        if (f !== 'transcode' || typeof e === 'string') console.log(f, e, r);
    }
const sd = require('string_decoder').StringDecoder;
for (const e of [5, {}, null, undefined, true, 'bad', '']) {
    try {
        console.log(new sd(e).encoding);
    } catch (x) {
        console.log(show(x));
    }
}
