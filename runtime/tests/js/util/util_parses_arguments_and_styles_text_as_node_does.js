const util = require('util');
const show = (e) => `${e.name} ${e.code} ${e.message}`;
const t = (f) => {
    let r;
    try {
        r = f();
    } catch (e) {
        r = show(e);
    }
    console.log(r);
};
const P = (c) => t(() => util.parseArgs(c));
for (const c of [
    { args: ['-f', '-x'], options: { foo: { type: 'string', short: 'f' } } },
    { args: ['--foo', '-'], options: { foo: { type: 'string' } } },
    { args: ['--foo', '--'], options: { foo: { type: 'string' } } },
    { args: ['--foo', ''], options: { foo: { type: 'string' } } },
    { args: ['-f'], options: { foo: { type: 'string', short: 'f' } } },
    { args: ['--foo', '-x'], strict: false, options: { foo: { type: 'string' } } },
    { args: ['--foo'], strict: false, options: { foo: { type: 'string' } } },
    { args: ['--foo=1'], strict: false, options: { foo: { type: 'boolean' } } },
    { args: ['-f=1'], options: { foo: { type: 'boolean', short: 'f' } } },
    { args: ['--no-foo'], options: { foo: { type: 'boolean' } } },
    {
        args: ['--no-foo'],
        allowNegative: true,
        tokens: true,
        options: { foo: { type: 'boolean' } },
    },
    { args: ['--no-foo'], allowNegative: true, options: { foo: { type: 'string' } } },
    { args: ['--no-foo=1'], allowNegative: true, options: { foo: { type: 'boolean' } } },
    { args: ['a', '-b'], allowPositionals: true },
    { args: ['-'], allowPositionals: true },
    {
        args: ['-ab'],
        tokens: true,
        options: { a: { type: 'boolean', short: 'a' }, b: { type: 'boolean', short: 'b' } },
    },
    {
        args: ['-abval'],
        tokens: true,
        options: { a: { type: 'boolean', short: 'a' }, b: { type: 'string', short: 'b' } },
    },
    { args: ['a', '--', 'b', '-c'], allowPositionals: true, tokens: true },
    { args: ['--', 'b'] },
    { strict: 5 },
    { allowPositionals: 5 },
    { tokens: 5 },
    { options: 5 },
    { options: { a: 5 } },
    { options: { a: {} } },
    { options: { a: { type: 'string', short: 5 } } },
    { options: { a: { type: 'string', short: '' } } },
    { options: { a: { type: 'string', multiple: 5 } } },
    { args: [], options: { a: { type: 'string', multiple: true, default: 'x' } } },
    { args: [], options: { a: { type: 'string', multiple: true, default: ['x', 5] } } },
    { args: [], options: { a: { type: 'boolean', default: 'x' } } },
    { args: [], options: { a: { type: 'boolean', default: true, multiple: true } } },
    { args: [], options: { a: { type: 'boolean', default: [true], multiple: true } } },
    { args: ['--__proto__'], strict: false },
    { args: ['--a=1', '--a=2'], options: { a: { type: 'string' } } },
    { args: ['--a', '--b'], strict: false, options: { a: { type: 'string' } } },
    { args: ['-x=1', 'p', '--y=z'], strict: false, tokens: true },
    { allowNegative: 5 },
    { args: ['--f-oo', 'bar'], options: { 'f-oo': { type: 'string' } } },
    { args: ['--=x'], strict: false },
    { args: ['--foo', 'a', 'b'], options: { foo: { type: 'string' } } },
    { args: ['-x'], allowPositionals: true },
])
    P(c);
t(() => Object.keys(util.inspect.colors).join());
t(() => Object.getOwnPropertyNames(util.inspect.colors).join());
t(() => JSON.stringify(util.inspect.colors));
t(() => util.styleText(['red', 'nope'], 'x'));
t(() => util.styleText('red'));
t(() => util.styleText('red', 5));
t(() => JSON.stringify(util.styleText([], 'x')));
t(() => JSON.stringify(util.styleText(['bold'], 'x', { validateStream: false })));
t(() => JSON.stringify(util.styleText('bold', 'x', { validateStream: false })));
t(() => JSON.stringify(util.styleText(['bold'], 'x', { stream: process.stdout })));
t(() => util.styleText('red', 'x', { stream: 5 }));
t(() => util.styleText('red', 'x', { validateStream: 5 }));
t(() => JSON.stringify(util.styleText('red', 'x', { stream: { isTTY: true } })));
for (const v of [-2, -99999, 0, 5, 'x', 1.5, null, -1.5]) t(() => util.getSystemErrorName(v));
(async () => {
    for (const a of [
        [],
        [5],
        [AbortSignal.abort()],
        [AbortSignal.abort(), {}],
        [AbortSignal.abort(), 5],
    ])
        await util.aborted(...a).then(
            () => console.log('aborted'),
            (e) => console.log(show(e)),
        );
})();
