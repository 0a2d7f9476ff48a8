const path = require('path');
const some = [
    '',
    '.',
    '..',
    '/',
    '//',
    'a',
    '/a',
    'a/',
    './a',
    '../a',
    '/a/b/../c',
    'a//b',
    '.a',
    '.a.b',
    'a.',
    'a.b.',
    '/a.b/c',
    'a/b.c.d',
    '...',
    'a/../..',
    './/',
    'a\\b',
    'ä/ö.ü',
];
for (const one of some) {
    console.log(
        JSON.stringify(one),
        path.normalize(one),
        path.basename(one),
        path.extname(one),
        path.dirname(one),
        path.isAbsolute(one),
        path.parse(one),
    );
}
for (const a of some.slice(0, 14)) {
    for (const b of ['', 'x', '../x', '/x', '..']) {
        console.log(
            path.join(a, b),
            path.resolve('/base', a, b),
            path.relative(`/base/${a}`, `/base/${b}`),
        );
    }
}
console.log(
    path.basename('a/b.html', '.html'),
    path.basename('b', 'b'),
    path.basename('/a/b/', 'x'),
);
console.log(
    path.format({ dir: '/d', base: 'b' }),
    path.format({ root: '/', name: 'n', ext: '.e' }),
    path.format({ name: 'n', ext: 'e' }),
    path.format({}),
);
console.log(path.sep, path.delimiter, path.posix === path, typeof path.win32);
for (const bad of [1, null, undefined, {}]) {
    for (const name of ['join', 'normalize', 'basename', 'dirname', 'extname', 'parse']) {
        try {
            path[name](bad);
        } catch (error) {
            console.log(name, error.code, error.message);
        }
    }
}
