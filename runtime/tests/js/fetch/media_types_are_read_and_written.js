const { MIMEType, MIMEParams } = require('util');
const show = (e) => `${e.name} ${e.code} ${e.message}`;
const t = (n, f) => {
    let r;
    try {
        r = f();
    } catch (e) {
        r = show(e);
    }
    console.log(n, r);
};
for (const m of [
    'text/plain',
    ' TEXT/HTML ; Charset=UTF-8;charset=x',
    'text/html;q="a\\"b c"; e=; f="" ;g;=h;bad name=1',
    'bad',
    '/x',
    'x/',
    'a b/c',
    'a/b c',
    '',
    'a/b;',
    'a/b;x="unclosed',
    'a/b;x=é',
    'text/plain;a=1;b="2"x;c=3',
    5,
    undefined,
    'a/b/c',
])
    t(m, () => {
        const x = new MIMEType(m);
        return [
            String(x),
            x.type,
            x.subtype,
            x.essence,
            JSON.stringify(x),
            [...x.params],
            String(x.params),
        ];
    });
t('set', () => {
    const x = new MIMEType('a/b');
    x.type = 'T';
    x.subtype = 'S';
    x.params.set('k', 'v w');
    x.params.set('K2', '');
    return [
        String(x),
        x.params.get('k'),
        x.params.get('nope'),
        x.params.has('k'),
        x.params.delete('k'),
        String(x),
        [...x.params.keys()],
        [...x.params.values()],
        [...x.params.entries()],
    ];
});
t('set bad', () => {
    new MIMEType('a/b').type = 'x y';
});
t('set bad', () => {
    new MIMEType('a/b').subtype = '';
});
t('set bad', () => new MIMEType('a/b').params.set('x y', '1'));
t('set bad', () => new MIMEType('a/b').params.set('x', 'é\n'));
t('params', () => new MIMEParams());
t('insp', () => new MIMEType('a/b;c=d'));
t('none', () => new MIMEType());
t('pset', () => {
    const p = new MIMEParams();
    p.set('a', 1);
    return String(p);
});
