console.log(
    '%s is %d and %i, %f, %j, %o %O %% %c end',
    'a',
    1.5,
    1.5,
    '2.5',
    { a: 1 },
    [1],
    { b: { c: {} } },
    'css',
    'extra',
    { d: 1 },
);
console.log();
console.log('%s', null, undefined, Symbol('s'), 5n, -0, () => {}, class A {});
console.log('%s %s', 'one');
console.log('100%', 5, '%d', '5');
console.info('info');
console.debug('debug');
console.error('error %s', 'x');
console.warn('warn');
console.group('group', 1);
console.log('inside\ntwo lines');
console.group();
console.table([
    { a: 1, b: 'x' },
    { a: 2, c: true },
]);
console.groupEnd();
console.groupEnd();
console.groupEnd();
console.table([
    [1, 2],
    [3, 4],
]);
console.table([{ a: 1, b: 2 }], ['b']);
console.table(new Map([['k', 1]]));
console.table(new Set([1]));
console.table(5);
console.table([1, 'two', { three: 3 }]);
console.table({ x: { y: 1 }, z: 2 });
console.table([]);
console.count();
console.count('x');
console.count();
console.countReset();
console.count();
console.countReset('none');
console.assert(true, 'never');
console.assert(false, 'told %s', 'so');
console.assert(false);
console.assert(false, { a: 1 });
console.dir({ a: { b: { c: { d: 1 } } } }, { depth: 0 });
console.dir([1, 'x']);
console.dirxml({ a: 1 }, [2]);
console.timeEnd('none');
console.time('t');
console.time('t');
console.log(typeof console.Console);
const { Writable } = require('stream');
const out = [];
const own = new console.Console({
    stdout: new Writable({
        write(chunk, e, done) {
            out.push(String(chunk));
            done();
        },
    }),
    groupIndentation: 4,
});
own.log('to %s', 'own');
own.group('g');
own.error('also');
console.log(out);
[1, 2].forEach(console.log);
