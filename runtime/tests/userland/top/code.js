'use strict';
// Packages that read, change and write programs.

const fs = require('fs');
const CODE =
  'const add = (a, b = 1) => a?.b ?? `${b}`;\n' +
  'export default class X { #p = 1n; static { add(1); } }\n';

module.exports = {
  tslib: async (load, show) => {
    const tslib = await load('tslib');
    class A {}
    tslib.__decorate(
      [
        (target, name) => {
          target.seen = name;
        },
      ],
      A.prototype,
      'm',
      null,
    );
    show(
      new A().seen,
      tslib.__rest({ a: 1, b: 2 }, ['a']),
      await tslib.__awaiter(null, [], Promise, function* () {
        return yield 5;
      }),
      [...tslib.__spreadArray([1], [2])],
    );
  },
  'source-map': async (load, show) => {
    const { SourceMapGenerator, SourceMapConsumer } = await load.all('source-map');
    const generator = new SourceMapGenerator({ file: 'x.min.js' });
    generator.addMapping({
      generated: { line: 1, column: 5 },
      original: { line: 3, column: 2 },
      source: 'a.js',
      name: 'n',
    });
    const consumer = await new SourceMapConsumer(generator.toString());
    show(generator.toString(), consumer.originalPositionFor({ line: 1, column: 7 }));
  },
  'source-map-js': async (load, show) => {
    const { SourceNode, SourceMapConsumer } = await load('source-map-js');
    const { code, map } = new SourceNode(1, 2, 'a.cm', [
      'x',
      '\n',
      new SourceNode(4, 0, 'b.cm', 'y'),
    ]).toStringWithSourceMap({ file: 'o' });
    show(
      code,
      map.toString(),
      new SourceMapConsumer(map.toString()).originalPositionFor({ line: 2, column: 0 }),
    );
  },
  'convert-source-map': async (load, show) => {
    const convert = await load('convert-source-map');
    const text = convert
      .fromObject({ version: 3, sources: ['a.js'], mappings: 'AAAA' })
      .toComment();
    show(text, convert.fromSource(`x\n${text}`).toObject());
  },
  'magic-string': async (load, show) => {
    const { default: MagicString } = await load.all('magic-string');
    const text = new MagicString('problems = 99');
    text.overwrite(0, 8, 'answer').prepend('var ').append(';').update(11, 13, '42');
    show(String(text), text.generateMap({ source: 's.js', includeContent: true }).toString());
  },
  '@jridgewell/trace-mapping': async (load, show) => {
    const { TraceMap, originalPositionFor, eachMapping } = await load.all(
      '@jridgewell/trace-mapping',
    );
    const map = new TraceMap({
      version: 3,
      sources: ['a.js'],
      names: ['n'],
      mappings: 'KAEEA;AACA',
    });
    show(originalPositionFor(map, { line: 1, column: 7 }));
    eachMapping(map, (one) => show(one.generatedLine, one.originalLine));
  },
  '@jridgewell/resolve-uri': async (load, show) =>
    show(
      (await load('@jridgewell/resolve-uri'))('../a.js', 'https://x.y/b/c/d.js'),
      (await load('@jridgewell/resolve-uri'))('a', 'b/c'),
    ),
  '@jridgewell/sourcemap-codec': async (load, show) => {
    const { encode, decode } = await load.all('@jridgewell/sourcemap-codec');
    show(
      decode('AAAA,SAASA;AACA'),
      encode([
        [
          [0, 0, 0, 0],
          [9, 0, 0, 9, 0],
        ],
      ]),
    );
  },
  acorn: async (load, show) => {
    const { parse, tokenizer } = await load('acorn');
    show(
      parse(CODE, { ecmaVersion: 'latest', sourceType: 'module' }).body.map((one) => [
        one.type,
        one.start,
        one.end,
      ]),
      [...tokenizer('a+/b/g', { ecmaVersion: 2022 })].map((token) => token.type.label),
    );
    try {
      parse('let let', { ecmaVersion: 6 });
    } catch (error) {
      show(error.message, error.loc);
    }
  },
  'acorn-jsx': async (load, show) => {
    const { Parser } = await load('acorn');
    show(
      Parser.extend((await load('acorn-jsx'))()).parse('<a b={c} {...d}>{e}</a>', {
        ecmaVersion: 2022,
      }).body[0].expression.type,
    );
  },
  espree: async (load, show) => {
    const espree = await load.all('espree');
    show(
      espree.parse('async () => { for await (const a of b); }', { ecmaVersion: 2022, tokens: true })
        .tokens.length,
      espree.latestEcmaVersion > 13,
    );
  },
  estraverse: async (load, show) => {
    const { traverse, replace } = await load('estraverse');
    const tree = (await load('acorn')).parse('a + b * 2', { ecmaVersion: 6 });
    traverse(tree, {
      enter: (node) => show(node.type),
      leave(node) {
        if (node.type === 'Literal') this.break();
      },
    });
    show(
      replace(tree, {
        enter: (node) => (node.type === 'Identifier' ? { type: 'Literal', value: 1 } : node),
      }).body[0].expression.left,
    );
  },
  'estree-walker': async (load, show) => {
    const { walk } = await load.all('estree-walker');
    const names = [];
    walk((await load('acorn')).parse('f(a, [b, c])', { ecmaVersion: 6 }), {
      enter(node) {
        if (node.type === 'ArrayExpression') this.skip();
        if (node.name) names.push(node.name);
      },
    });
    show(names);
  },
  esquery: async (load, show) => {
    const esquery = await load('esquery');
    show(
      esquery(
        (await load('acorn')).parse('function f(a) { return a.b; }', { ecmaVersion: 6 }),
        'ReturnStatement > MemberExpression[property.name="b"]',
      ).length,
    );
  },
  esrecurse: async (load, show) => {
    (await load('esrecurse')).visit(
      (await load('acorn')).parse('var a = 1, b;', { ecmaVersion: 6 }),
      {
        VariableDeclarator(node) {
          show(node.id.name);
        },
      },
    );
  },
  esutils: async (load, show) =>
    show(
      (await load('esutils')).keyword.isReservedWordES6('class', true),
      (await load('esutils')).code.isIdentifierStartES6(0x61),
    ),
  'eslint-visitor-keys': async (load, show) =>
    show(
      (await load('eslint-visitor-keys')).KEYS.IfStatement,
      (await load('eslint-visitor-keys')).unionWith({ X: ['y'] }).X,
    ),
  'eslint-scope': async (load, show) => {
    const { analyze } = await load('eslint-scope');
    const tree = (await load.all('espree')).parse('let a; function f(b) { return a + b + c; }', {
      ecmaVersion: 2022,
      range: true,
    });
    show(
      analyze(tree, { ecmaVersion: 2022 }).scopes.map((scope) => [
        scope.type,
        scope.variables.map((one) => one.name),
        scope.through.map((one) => one.identifier.name),
      ]),
    );
  },
  eslint: async (load, show, folder) => {
    const { ESLint } = await load('eslint');
    fs.writeFileSync(`${folder}/a.js`, 'var unused = 1;\nif (a = 2) { b() }\n');
    const results = await new ESLint({
      cwd: folder,
      overrideConfigFile: true,
      overrideConfig: {
        rules: { 'no-unused-vars': 2, 'no-undef': 1, 'no-cond-assign': 2, 'prefer-const': 1 },
      },
    }).lintFiles(['a.js']);
    show(results[0].messages.map((one) => [one.ruleId, one.line, one.column, one.message]));
  },
  '@babel/parser': async (load, show) => {
    const { parse, parseExpression } = await load('@babel/parser');
    show(
      parse(CODE, { sourceType: 'module', plugins: ['typescript', 'jsx'] }).program.body.map(
        (one) => [one.type, one.start, one.end],
      ),
      parseExpression('<a>{b}</a>', { plugins: ['jsx'] }).type,
    );
    try {
      parse('a b');
    } catch (error) {
      show(error.message, error.code);
    }
  },
  '@babel/types': async (load, show) => {
    const t = await load('@babel/types');
    show(
      t.isValidIdentifier('a-b'),
      t.callExpression(t.identifier('f'), [t.numericLiteral(1)]).type,
    );
    try {
      t.identifier(5);
    } catch (error) {
      show(error.message);
    }
  },
  '@babel/generator': async (load, show) => {
    const { generate } = await load.all('@babel/generator');
    const { parse } = await load('@babel/parser');
    show(
      generate(
        parse(CODE, { sourceType: 'module' }),
        { compact: true, sourceMaps: true, sourceFileName: 'a.js' },
        CODE,
      ),
    );
  },
  '@babel/template': async (load, show) => {
    const { default: template } = await load.all('@babel/template');
    const { generate } = await load.all('@babel/generator');
    show(
      generate(
        (template.default ?? template)('const %%n%% = require(%%s%%);')({ n: 'a', s: '"b"' }),
      ).code,
    );
  },
  '@babel/core': async (load, show) => {
    const babel = await load('@babel/core');
    const plugin = ({ types: t }) => ({
      visitor: {
        Identifier(at) {
          if (at.node.name === 'add') at.replaceWith(t.identifier('plus'));
        },
      },
    });
    show(
      (
        await babel.transformAsync(CODE, {
          configFile: false,
          plugins: [plugin],
          sourceMaps: true,
          filename: '/x/a.js',
        })
      ).code,
    );
    await babel
      .transformAsync('a b', { configFile: false, filename: '/x/a.js', highlightCode: false })
      .catch((error) => show(error.message));
  },
  '@babel/runtime': async (load, show) => {
    const classCallCheck = await load('@babel/runtime/helpers/classCallCheck');
    try {
      classCallCheck({}, class {});
    } catch (error) {
      show(error.message);
    }
    show(
      (await load('@babel/runtime/helpers/slicedToArray'))(new Set([1, 2]), 2),
      (await load('@babel/runtime/helpers/typeof'))(Symbol('a')),
    );
  },
  '@babel/helpers': async (load, show) =>
    show(
      (await load('@babel/helpers')).list.length > 50,
      (await load('@babel/helpers')).getDependencies?.('inherits'),
    ),
  '@babel/helper-validator-identifier': async (load, show) =>
    show(
      (await load('@babel/helper-validator-identifier')).isIdentifierName('ünï'),
      (await load('@babel/helper-validator-identifier')).isKeyword('if'),
    ),
  '@babel/helper-validator-option': async (load, show) =>
    show(
      (await load('@babel/helper-validator-option')).findSuggestion('flod', ['flow', 'typescript']),
    ),
  '@babel/helper-string-parser': async (load, show) =>
    show(
      (await load('@babel/helper-string-parser')).readStringContents(
        'double',
        'a\\u{62}c"',
        0,
        1,
        0,
        { unterminated() {} },
      ).str,
    ),
  '@babel/helper-plugin-utils': async (load, show) =>
    show(
      typeof (await load('@babel/helper-plugin-utils')).declare((api) => ({ name: api.version })),
    ),
  '@babel/helper-module-imports': async (load, show) =>
    show(Object.keys(await load('@babel/helper-module-imports')).sort()),
  '@babel/helper-module-transforms': async (load, show) =>
    show(
      (await load('@babel/helper-module-transforms')).isModule.length,
      typeof (await load('@babel/helper-module-transforms')).getModuleName,
    ),
  '@babel/helper-compilation-targets': async (load, show) => {
    const { default: targets, prettifyTargets } = await load.all(
      '@babel/helper-compilation-targets',
    );
    show(prettifyTargets((targets.default ?? targets)({ browsers: ['chrome 80', 'firefox 78'] })));
  },
  '@babel/compat-data': async (load, show) =>
    show((await load('@babel/compat-data/plugins'))['transform-classes'] !== undefined),
  gensync: async (load, show) => {
    const gensync = await load('gensync');
    const read = gensync({ sync: () => 1, errback: (done) => done(null, 2) });
    const both = gensync(function* () {
      return (yield* read()) + 10;
    });
    show(both.sync(), await both.async());
  },
  esbuild: async (load, show, folder) => {
    const esbuild = await load('esbuild');
    show(
      (
        await esbuild.transform('const a: number = b ?? 1; enum E { A }', {
          loader: 'ts',
          target: 'es2019',
        })
      ).code,
    );
    fs.writeFileSync(`${folder}/a.js`, 'import { b } from "./b.js"; console.log(b);');
    fs.writeFileSync(`${folder}/b.js`, 'export const b = 5, c = 6;');
    show(
      (
        await esbuild.build({
          entryPoints: [`${folder}/a.js`],
          bundle: true,
          minify: true,
          write: false,
        })
      ).outputFiles[0].text,
    );
    await esbuild.transform('let let').catch((error) => show(error.errors[0].text));
    await esbuild.stop();
  },
  typescript: async (load, show, folder) => {
    const { spawnSync } = require('child_process');
    fs.writeFileSync(
      `${folder}/a.ts`,
      'enum E { A = 1 }\nexport const f = (x: E): string => x;\nasync function g() { await 1; }\n',
    );
    const { stdout, status } = spawnSync(
      process.execPath,
      [
        require.resolve('typescript/package.json').replace('package.json', 'bin/tsc'),
        '--target',
        'es2022',
        '--module',
        'nodenext',
        '--noEmitOnError',
        'false',
        'a.ts',
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    show(
      status,
      stdout,
      fs.existsSync(`${folder}/a.js`) && fs.readFileSync(`${folder}/a.js`, 'utf8'),
      typeof (await load('typescript')),
    );
  },
  postcss: async (load, show) => {
    const postcss = await load('postcss');
    const plugin = {
      postcssPlugin: 'x',
      Declaration(one) {
        if (one.prop === 'color') one.value = 'blue';
      },
    };
    const result = await postcss([plugin]).process('a { color: red; &:hover { top: 0 } }', {
      from: 'a.css',
      to: 'b.css',
      map: { inline: false },
    });
    show(result.css, result.map.toString());
    await postcss([])
      .process('a {', { from: 'a.css' })
      .then((one) => one.css)
      .catch((error) => show(error.reason, error.line));
  },
  'postcss-selector-parser': async (load, show) => {
    const parser = await load('postcss-selector-parser');
    show(
      await parser((all) =>
        all.walkClasses((one) => {
          one.value = `p-${one.value}`;
        }),
      ).process('.a > b.c:not(.d)::before'),
    );
  },
  globals: async (load, show) => show(Object.keys((await load('globals')).node).length > 50),
  browserslist: async (load, show) =>
    show((await load('browserslist'))(['chrome 100', 'node 18', 'ie 11'])),
  'update-browserslist-db': async (load, show) =>
    show(typeof (await load('update-browserslist-db'))),
  'caniuse-lite': async (load, show) =>
    show((await load('caniuse-lite')).feature((await load('caniuse-lite')).features.flexbox).title),
  'electron-to-chromium': async (load, show) =>
    show((await load('electron-to-chromium')).electronToChromium('1.4')),
  'node-releases': async (load, show) =>
    show(
      Object.keys(require('node-releases/data/release-schedule/release-schedule.json')).includes(
        'v20',
      ),
    ),
  '@rolldown/pluginutils': async (load, show) => {
    const { exactRegex, prefixRegex, makeIdFiltersToMatchWithQuery } =
      await load.all('@rolldown/pluginutils');
    show(exactRegex('a.b'), prefixRegex('x'), makeIdFiltersToMatchWithQuery(['**/*.js']));
  },
  '@eslint-community/regexpp': async (load, show) => {
    const { RegExpParser, RegExpValidator } = await load('@eslint-community/regexpp');
    show(new RegExpParser().parsePattern('(?<y>\\d{4})-[^a-z]|x+?').alternatives.length);
    try {
      new RegExpValidator().validatePattern('a**');
    } catch (error) {
      show(error.message);
    }
  },
  '@eslint/eslintrc': async (load, show) => {
    const { Legacy } = await load('@eslint/eslintrc');
    show(Legacy.environments.get('node').globals.process, Object.keys(Legacy.ConfigOps).sort());
  },
  prettier: async (load, show) => {
    const prettier = await load.all('prettier');
    show(
      await prettier.format('const a = {b:1, c : [1,2,3]};async()=>{await x}', {
        parser: 'babel',
        semi: false,
      }),
      await prettier.format('# a\n* b\n* c', { parser: 'markdown' }),
      await prettier.format('a{b:c;d:e}', { parser: 'css' }),
    );
    await prettier.format('let let', { parser: 'babel' }).catch((error) => show(error.message));
  },
  'ts-api-utils': async (load, show) => {
    try {
      show(typeof (await load.all('ts-api-utils')).forEachToken);
    } catch (error) {
      show(error.name, error.message);
    }
  },
  'baseline-browser-mapping': async (load, show) =>
    show(
      (await load.all('baseline-browser-mapping'))
        .getCompatibleVersions({ targetYear: 2021 })
        .map((one) => `${one.browser} ${one.version}`),
    ),
  parse5: async (load, show) => {
    const { parse, parseFragment, serialize } = await load.all('parse5');
    show(
      serialize(parse('<p>a<table><b>c</table>&amp;<br>')),
      parseFragment('<li>x<li>y').childNodes.length,
    );
  },
  '@eslint/js': async (load, show) => show(Object.keys((await load('@eslint/js')).configs)),
};
