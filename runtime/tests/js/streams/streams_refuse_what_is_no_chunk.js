'use strict';
const { Readable, Writable, PassThrough, Duplex, Transform } = require('stream');
const show = (e) => (e instanceof Error ? `${e.name} ${e.code} ${e.message}` : String(e));
function tryit(name, make, act) {
    const s = make();
    s.name = name;
    for (const ev of ['error', 'close', 'finish', 'end', 'data', 'drain'])
        s.on(ev, (a) =>
            console.log(
                name,
                ev,
                ev === 'error' ? show(a) : ev === 'data' ? typeof a + ' ' + String(a) : '',
                s.destroyed,
            ),
        );
    let r;
    try {
        r = act(s);
        console.log(name, 'gives', r === s ? 'itself' : r);
    } catch (e) {
        console.log(name, 'throws', show(e));
    }
    return s;
}
const values = {
    number: 5,
    true: true,
    object: {},
    array: [1],
    undefined: undefined,
    null: null,
    empty: '',
    symbol: Symbol('s'),
    u8: new Uint8Array([65]),
    dv: new DataView(new ArrayBuffer(2)),
    u16: new Uint16Array(2),
    fn: function f() {},
    big: 5n,
};
const makers = {
    passthrough: () => new PassThrough(),
    readable: () => new Readable({ read() {} }),
    object: () => new Readable({ objectMode: true, read() {} }),
    writable: () =>
        new Writable({
            write(c, e, cb) {
                cb();
            },
        }),
    ow: () =>
        new Writable({
            objectMode: true,
            write(c, e, cb) {
                cb();
            },
        }),
};
(async () => {
    for (const m of ['passthrough', 'readable', 'object'])
        for (const v in values)
            for (const op of ['push', 'unshift']) {
                tryit(`${m}.${op}(${v})`, makers[m], (s) => s[op](values[v]));
                await new Promise(setImmediate);
            }
    for (const m of ['passthrough', 'writable', 'ow'])
        for (const v in values)
            for (const op of ['write', 'end']) {
                tryit(`${m}.${op}(${v})`, makers[m], (s) =>
                    s[op](values[v], (e) => console.log('callback', show(e))),
                );
                await new Promise(setImmediate);
            }
    for (const m of ['passthrough', 'writable'])
        for (const enc of ['utf8', 'bad', 5, null, {}, 'buffer', 'hex'])
            for (const op of ['write', 'end']) {
                tryit(`${m}.${op}(61,${String(enc)})`, makers[m], (s) =>
                    s[op]('61', enc, (e) => console.log('callback', show(e))),
                );
                await new Promise(setImmediate);
            }
    for (const enc of ['utf8', 'bad', 5, null, {}, 'buffer', 'hex', 'latin1'])
        for (const op of ['push', 'unshift']) {
            tryit(`readable.${op}(61,${String(enc)})`, makers.readable, (s) => s[op]('61', enc));
            await new Promise(setImmediate);
            tryit(`object.${op}(61,${String(enc)})`, makers.object, (s) => s[op]('61', enc));
            await new Promise(setImmediate);
            tryit(
                `set.${op}(61,${String(enc)})`,
                () => makers.readable().setEncoding('hex'),
                (s) => s[op]('61', enc),
            );
            await new Promise(setImmediate);
        }
    tryit('push after null', makers.readable, (s) => {
        s.push(null);
        return s.push('a');
    });
    await new Promise(setImmediate);
    tryit('push null after null', makers.readable, (s) => {
        s.push(null);
        return s.push(null);
    });
    await new Promise(setImmediate);
    tryit('push empty after null', makers.readable, (s) => {
        s.push(null);
        return s.push('');
    });
    await new Promise(setImmediate);
    tryit('unshift after null', makers.readable, (s) => {
        s.push(null);
        return s.unshift('a');
    });
    await new Promise(setImmediate);
    {
        const s = tryit('unshift after end', makers.readable, (s) => {
            s.push(null);
        });
        await new Promise(setImmediate);
        try {
            console.log(s.unshift('a'));
        } catch (e) {
            console.log(show(e));
        }
        await new Promise(setImmediate);
    }
    {
        const s = tryit(
            'unshift after end no destroy',
            () => new Readable({ read() {}, autoDestroy: false }),
            (s) => {
                s.push(null);
            },
        );
        await new Promise(setImmediate);
        try {
            console.log(s.unshift('a'));
            console.log(s.push('a'));
        } catch (e) {
            console.log(show(e));
        }
        await new Promise(setImmediate);
    }
    tryit('push after destroy', makers.readable, (s) => {
        s.destroy();
        return s.push('a');
    });
    await new Promise(setImmediate);
    tryit('push bad after destroy', makers.readable, (s) => {
        s.destroy();
        return s.push(5);
    });
    await new Promise(setImmediate);
    tryit('unshift after destroy', makers.readable, (s) => {
        s.destroy();
        return s.unshift('a');
    });
    await new Promise(setImmediate);
    tryit('push null after destroy', makers.readable, (s) => {
        s.destroy();
        return s.push(null);
    });
    await new Promise(setImmediate);
    tryit('write after destroy', makers.writable, (s) => {
        s.destroy();
        return s.write('a', (e) => console.log('cb', show(e)));
    });
    await new Promise(setImmediate);
    tryit('write bad after destroy', makers.writable, (s) => {
        s.destroy();
        return s.write(5, (e) => console.log('cb', show(e)));
    });
    await new Promise(setImmediate);
    tryit('end after destroy', makers.writable, (s) => {
        s.destroy();
        return s.end('a', (e) => console.log('cb', show(e)));
    });
    await new Promise(setImmediate);
    tryit('end() after destroy', makers.writable, (s) => {
        s.destroy();
        return s.end((e) => console.log('cb', show(e)));
    });
    await new Promise(setImmediate);
    tryit('end twice', makers.writable, (s) => {
        s.end();
        return s.end((e) => console.log('cb', show(e)));
    });
    await new Promise(setImmediate);
    tryit('end twice with chunk', makers.writable, (s) => {
        s.end();
        return s.end('x', (e) => console.log('cb', show(e)));
    });
    await new Promise(setImmediate);
    {
        const s = tryit('end after finish', makers.writable, (s) => s.end());
        await new Promise(setImmediate);
        s.end((e) => console.log('cb', show(e)));
        await new Promise(setImmediate);
        s.end('x', (e) => console.log('cb', show(e)));
        await new Promise(setImmediate);
    }
    {
        const s = tryit(
            'end after finish2',
            () =>
                new Writable({
                    autoDestroy: false,
                    write(c, e, cb) {
                        cb();
                    },
                }),
            (s) => s.end(),
        );
        await new Promise(setImmediate);
        s.end((e) => console.log('cb', show(e)));
        await new Promise(setImmediate);
        s.end('x', (e) => console.log('cb', show(e)));
        await new Promise(setImmediate);
    }
    for (const e of ['bad', 5, null, undefined, 'UTF8', 'buffer']) {
        try {
            const w = makers.writable();
            w.setDefaultEncoding(e);
            console.log(w._writableState.defaultEncoding);
        } catch (x) {
            console.log(show(x));
        }
    }
    for (const e of ['bad', 5, null, undefined, 'UTF8', 'buffer', 'utf-16le']) {
        try {
            const w = makers.readable();
            w.setEncoding(e);
            console.log(w.readableEncoding);
        } catch (x) {
            console.log(show(x));
        }
    }
    for (const h of [-1, 'a', 1.5, null, undefined, NaN, 0, '5', {}])
        for (const C of [Readable, Writable, PassThrough]) {
            try {
                const w = new C({ highWaterMark: h });
                console.log(w.readableHighWaterMark, w.writableHighWaterMark);
            } catch (x) {
                console.log(show(x));
            }
        }
    for (const C of [Readable, Writable, PassThrough]) {
        try {
            const w = new C({ defaultEncoding: 'bad', encoding: 'nope' });
            console.log('ok');
        } catch (x) {
            console.log(show(x));
        }
    }
    for (const C of [Readable, Writable, PassThrough]) {
        try {
            const w = new C({ signal: 5 });
            console.log('ok');
        } catch (x) {
            console.log(show(x));
        }
    }
    tryit(
        'no _read',
        () => new Readable(),
        (s) => s.read(),
    );
    await new Promise(setImmediate);
    tryit(
        'no _write',
        () => new Writable(),
        (s) => s.write('x'),
    );
    await new Promise(setImmediate);
    tryit(
        'no _transform',
        () => new Transform(),
        (s) => s.write('x'),
    );
    await new Promise(setImmediate);
    tryit(
        'transform gives bad',
        () =>
            new Transform({
                transform(c, e, cb) {
                    cb(null, 5);
                },
            }),
        (s) => s.write('x'),
    );
    await new Promise(setImmediate);
    tryit(
        'flush gives bad',
        () =>
            new Transform({
                flush(cb) {
                    cb(null, 5);
                },
                transform(c, e, cb) {
                    cb();
                },
            }),
        (s) => s.end(),
    );
    await new Promise(setImmediate);
    tryit('read size', makers.readable, (s) => {
        s.push('abc');
        return [s.read(-1), s.read('a'), s.read(1.5), s.read(0), s.read(2)].map(String).join();
    });
    await new Promise(setImmediate);
    tryit('read huge', makers.readable, (s) => s.read(2 ** 31));
})();
