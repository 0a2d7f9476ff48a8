'use strict';
// Packages about text, colours, versions and numbers.

module.exports = {
  semver: async (load, show) => {
    const semver = await load('semver');
    show(
      semver.satisfies('1.2.3', '^1.0.0 || >=3'),
      semver.inc('1.2.3-beta.1', 'prerelease'),
      semver.maxSatisfying(['1.0.0', '1.4.2', '2.0.0'], '~1'),
      semver.sort(['2.0.0', '1.0.0-a']),
    );
  },
  'ansi-styles': async (load, show) => {
    const styles = await load('ansi-styles');
    show(
      styles.red.open,
      styles.color.ansi256(styles.rgbToAnsi256(199, 20, 250)),
      styles.hexToRgb('#abc'),
    );
  },
  'strip-ansi': async (load, show) => show((await load('strip-ansi'))('\u001b[4mUnicorn\u001b[0m')),
  'ansi-regex': async (load, show) =>
    show('\u001b[4mcake\u001b[0m'.match((await load('ansi-regex'))())),
  ms: async (load, show) => {
    const ms = await load('ms');
    show(ms('2 days'), ms('1.5h'), ms(60000), ms(2 * 60000, { long: true }), ms('-3 min'));
  },
  'supports-color': async (load, show) => show(await load('supports-color')),
  chalk: async (load, show) => {
    const { Chalk } = await load.all('chalk');
    const chalk = new Chalk({ level: 2 });
    show(chalk.red.bold('a'), chalk.hex('#DEADED').underline('b'), chalk.bgBlue`c`);
  },
  'string-width': async (load, show) =>
    show((await load('string-width'))('古\u001b[1m👩‍👩‍👦a\u001b[22m')),
  'wrap-ansi': async (load, show) =>
    show(
      (await load('wrap-ansi'))('The quick \u001b[31mbrown fox jumped over\u001b[39m the dog', 12),
    ),
  'emoji-regex': async (load, show) => show('a ⌚️ b 👨‍👩‍👧 c'.match((await load('emoji-regex'))())),
  'color-name': async (load, show) => show((await load('color-name')).rebeccapurple),
  'color-convert': async (load, show) => {
    const convert = await load('color-convert');
    show(convert.rgb.hsl(140, 200, 100), convert.keyword.hex('blue'), convert.lab.rgb(50, 20, 10));
  },
  'escape-string-regexp': async (load, show) =>
    show((await load('escape-string-regexp'))('a.b*[c]-d')),
  'is-fullwidth-code-point': async (load, show) => {
    const is = await load('is-fullwidth-code-point');
    show(is('谢'.codePointAt(0)), is('a'.codePointAt(0)));
  },
  'iconv-lite': async (load, show) => {
    const iconv = await load('iconv-lite');
    show(
      iconv.encode('Grüße', 'win1251'),
      iconv.decode(iconv.encode('日本', 'Shift_JIS'), 'Shift_JIS'),
      iconv.encodingExists('gbk'),
      iconv.decode(Buffer.from([0xff, 0xfe, 0x41, 0]), 'utf16'),
    );
  },
  entities: async (load, show) => {
    const entities = await load.all('entities');
    show(
      entities.decodeHTML('&lt;&eacute;&#x41;&copy'),
      entities.encodeXML('a < ü'),
      entities.escapeUTF8('"&'),
    );
  },
  punycode: async (load, show) => {
    const punycode = require('punycode/');
    show(punycode.toASCII('mañana.com'), punycode.decode('maana-pta'), punycode.ucs2.decode('a😀'));
  },
  'strip-json-comments': async (load, show) =>
    show(
      JSON.parse(
        (await load('strip-json-comments'))('{ // a\n "b": "/*c*/", /* d */ }', {
          trailingCommas: true,
        }),
      ),
    ),
  'strip-bom': async (load, show) => show((await load('strip-bom'))('\uFEFFtext').length),
  camelcase: async (load, show) => {
    const camel = await load('camelcase');
    show(
      camel('foo-bar_baz'),
      camel('Foo-Bar', { pascalCase: true }),
      camel('lorem İPSUM', { locale: 'tr-TR' }),
    );
  },
  jsesc: async (load, show) =>
    show(
      (await load('jsesc'))(
        { a: 'Ich ♥ Bücher', b: new Map([[1, [2]]]) },
        { compact: false, quotes: 'double' },
      ),
    ),
  'lines-and-columns': async (load, show) => {
    const { LinesAndColumns } = await load.all('lines-and-columns');
    const lines = new LinesAndColumns('table {\n  border: 0\n}\n');
    show(lines.locationForIndex(9), lines.indexForLocation({ line: 1, column: 2 }));
  },
  'fast-levenshtein': async (load, show) => {
    const { get } = await load('fast-levenshtein');
    show(get('back', 'book'), get('mikailovitch', 'Mikhaïlovitch', { useCollator: true }));
  },
  'natural-compare': async (load, show) =>
    show(['z10', 'z2', 'Z1'].sort(await load('natural-compare'))),
  picocolors: async (load, show) => {
    const colors = (await load('picocolors')).createColors(true);
    show(colors.green(`a ${colors.bold(`b ${colors.red('c')}`)} d`));
  },
  slash: async (load, show) =>
    show((await load('slash'))('a\\b\\c'), (await load('slash'))('\\\\?\\a')),
  'js-tokens': async (load, show) =>
    show(
      [...(await load('js-tokens'))('a?.b ?? /re/u.test(`x${y}`) // c')].map((token) => [
        token.type,
        token.value,
      ]),
    ),
  'path-parse': async (load, show) => show((await load('path-parse'))('/folder/a/file.tar.gz')),
  'ansi-escapes': async (load, show) => show(await load('ansi-escapes')),
  'uri-js': async (load, show) => {
    const uri = await load.all('uri-js');
    show(
      uri.parse('uri://user@example.com:123/one/two?q#f'),
      uri.resolve('http://a/b/c/d', '../../g'),
      uri.normalize('HTTP://EXAMPLE.com:80/%7euser'),
    );
  },
  'fast-json-stable-stringify': async (load, show) =>
    show((await load('fast-json-stable-stringify'))({ c: 8, b: [{ z: 6, y: 5 }], a: undefined })),
  'json-buffer': async (load, show) => {
    const json = await load('json-buffer');
    show(
      json.stringify({ a: Buffer.from('hi'), b: ':c' }),
      json.parse(json.stringify({ a: Buffer.from('hi') })),
    );
  },
  'parse-json': async (load, show) => {
    try {
      (await load('parse-json'))('{\n\t"foo": true,\n}', 'a.json');
    } catch (error) {
      show(error.name, error.fileName);
    }
  },
  'pretty-format': async (load, show) => {
    const { format, plugins } = await load.all('pretty-format');
    show(
      format(
        { a: [1, new Map([['b', new Set([2n])]])], f() {}, d: new Date(0), e: new RangeError('x') },
        { plugins: Object.values(plugins) },
      ),
    );
  },
  json5: async (load, show) => {
    const json5 = await load('json5');
    show(
      json5.parse("{a: 0x1F, 'b': [1,], c: +Infinity, /* d */ e: 'line \\\nnext'}"),
      json5.stringify({ 'a-b': [1, 'x'] }, null, 1),
    );
  },
  'js-yaml': async (load, show) => {
    const yaml = await load.all('js-yaml');
    show(
      yaml.load('a: &x [1, 2]\nb: *x\nc: |\n  text\n  more\nd: 2020-01-01\n'),
      yaml.dump({ a: [1, { b: null }], c: 'x: y' }),
    );
    try {
      yaml.load('a: [1');
    } catch (error) {
      show(error.message);
    }
  },
  yaml: async (load, show) => {
    const yaml = await load.all('yaml');
    const document = yaml.parseDocument('# top\na: 1 # one\nb:\n  - x\n  - {y: 2}\n');
    document.set('c', [true]);
    show(String(document), yaml.parse('1: !!set {a, b}'), document.errors.length);
  },
  flatted: async (load, show) => {
    const { parse, stringify } = await load.all('flatted');
    const a = [{}];
    a[0].a = a;
    show(stringify(a), parse(stringify(a))[0].a.length);
  },
  mime: async (load, show) => {
    const mime = await load('mime');
    show(mime.getType('a/b.txt'), mime.getExtension('application/json'), mime.getType('x.unknown'));
  },
  'mime-db': async (load, show) => show((await load('mime-db'))['application/javascript']),
  'mime-types': async (load, show) => {
    const mime = await load('mime-types');
    show(
      mime.lookup('file.md'),
      mime.contentType('html'),
      mime.extension('text/calendar'),
      mime.charset('text/css'),
    );
  },
  '@smithy/util-utf8': async (load, show) => {
    const { fromUtf8, toUtf8 } = await load.all('@smithy/util-utf8');
    show(fromUtf8('é€'), toUtf8(new Uint8Array([0xe2, 0x82, 0xac])));
  },
  nanoid: async (load, show) => {
    const { nanoid, customAlphabet } = await load.all('nanoid');
    show(nanoid().length, customAlphabet('ab', 5)().replace(/[ab]/g, 'x'));
  },
  uuid: async (load, show) => {
    const { v4, v5, v7, validate, version, parse } = await load.all('uuid');
    show(v5('hello', v5.DNS), validate(v4()), version(v7()), parse(v5('a', v5.URL)));
  },
  imurmurhash: async (load, show) =>
    show((await load('imurmurhash'))('string').hash('more').result()),
  diff: async (load, show) => {
    const { diffChars, createPatch, applyPatch } = await load.all('diff');
    const patch = createPatch('f', 'a\nb\nc\n', 'a\nx\nc\n');
    show(diffChars('beep', 'boop').length, patch, applyPatch('a\nb\nc\n', patch));
  },
};
