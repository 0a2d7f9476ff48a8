const util = require('util');
const show = (...values) => console.log(...values);
show(
    util.format('%s %d %i %f %j %o %O %%', 'a', '1', 2.9, '3.1', { a: 1 }, { b: 2 }, { c: 3 }),
    util.format(1, 'a', { b: 1 }),
    util.format('%s', { toString: () => 'own' }),
    util.format('a', 'b'),
);
show(
    util.isDeepStrictEqual({ a: [1, new Map([[1, 2]])] }, { a: [1, new Map([[1, 2]])] }),
    util.isDeepStrictEqual([1], ['1']),
    util.isDeepStrictEqual(NaN, NaN),
    util.isDeepStrictEqual(0, -0),
);
(async () => {
    show(
        await util.promisify((a, callback) => callback(null, a + 1))(1),
        await util.promisify(setTimeout)(1, 'v'),
    );
    await util
        .promisify(callback => callback(new Error('no')))()
        .catch(error => show(error.message));
    util.callbackify(async a => a * 2)(4, (error, value) => show(error, value));
    util.callbackify(() => Promise.reject(null))(error => show(error.code, error.message));
    show(await util.aborted(AbortSignal.abort(), {}));
})();
show(
    util.parseArgs({
        args: ['-f', '--bar', 'b', 'pos', '--no-color', '--', '-x'],
        options: {
            foo: { type: 'boolean', short: 'f' },
            bar: { type: 'string', multiple: true },
            color: { type: 'boolean' },
        },
        allowPositionals: true,
        allowNegative: true,
        strict: true,
    }),
);
for (const bad of [
    () => util.parseArgs({ args: ['--x'] }),
    () => util.parseArgs({ args: ['pos'] }),
    () => util.parseArgs({ args: ['--a'], options: { a: { type: 'string' } } }),
    () => util.promisify(5),
    () => util.inherits(5),
    () =>
        util.inspect(
            new Proxy(
                {},
                {
                    get() {
                        throw new Error('trap');
                    },
                },
            ),
        ),
]) {
    try {
        show('fine', bad());
    } catch (error) {
        show(error.name, error.code, error.message);
    }
}
const old = util.deprecate(() => 'value', 'this is old', 'DEPX');
show(old(), old());
show(
    util.types.isPromise(Promise.resolve()),
    util.types.isRegExp(/a/),
    util.types.isProxy(new Proxy({}, {})),
    util.types.isGeneratorFunction(function* () {}),
    util.types.isAsyncFunction(async () => {}),
    util.types.isUint8Array(Buffer.alloc(0)),
    util.types.isMap(new Map()),
    util.types.isNativeError(new TypeError()),
    util.types.isBoxedPrimitive(Object(1)),
    util.types.isArrayBufferView(new DataView(new ArrayBuffer(1))),
);
show(
    util.stripVTControlCharacters('\u001b[31mred\u001b[0m'),
    util.toUSVString('a\ud800'),
    util.getSystemErrorName(-2),
    util.getSystemErrorMap().get(-2),
    util.types.isExternal({}),
);
show(
    util.inspect(
        {
            a: { b: { c: { d: 1 } } },
            long: 'x'.repeat(30),
            list: Array.from({ length: 120 }, (_, i) => i),
            [Symbol('s')]: 1,
            f() {},
            get g() {
                return 1;
            },
        },
        { compact: 2, breakLength: 60, maxArrayLength: 5 },
    ),
);
show(
    util.inspect(
        { b: 1, a: [new Date(0), /x/, null, undefined, -0, 5n, "q's"] },
        { sorted: true, colors: true, showHidden: true },
    ),
);
show(
    util.inspect({
        [util.inspect.custom](depth, options, inspect) {
            return `custom ${depth} ${typeof options.stylize} ${inspect === util.inspect}`;
        },
    }),
    util.inspect('x'.repeat(20), { maxStringLength: 5 }),
    util.inspect(new (class Foo extends Map {})([[1, 2]])),
    util.inspect(Object.create(null)),
    util.inspect(new Proxy({ a: 1 }, {}), { showProxy: true }),
    util.inspect([, 1, , 2]),
    util.inspect(Object.assign([1], { x: 2 })),
    util.inspect(123456.789, { numericSeparator: true }),
);
function Parent() {}
function Child() {}
util.inherits(Child, Parent);
show(
    new Child() instanceof Parent,
    Child.super_ === Parent,
    typeof util.debuglog('x'),
    util.debuglog('x').enabled,
    util.styleText('red', 'x') === '\u001b[31mx\u001b[39m',
);
const cyc = { name: 'c' };
cyc.self = cyc;
cyc.list = [cyc, { cyc }];
show(
    cyc,
    new Error('m').message,
    [new Set([[1], { a: 2 }])],
    new WeakMap(),
    Promise.reject(1).catch(() => {}) && Promise.resolve({ v: 1 }),
    (function* () {})(),
    new Map([[{ k: 1 }, 'v']]),
    [undefined, null],
    [[[[1]]]],
    { a: { b: { c: { d: 1 } } } },
);
