// Templates, markup, data formats, dates: output as text.
'use strict';
const handlebars = require('handlebars');
const ejs = require('ejs');
const { marked } = require('marked');
const yaml = require('js-yaml');
const { default: Ajv } = require('ajv');
const dayjs = require('dayjs');
const semver = require('semver');
const immutable = require('immutable');
const lodash = require('lodash');
const BN = require('bn.js');
const acorn = require('acorn');
const chalk = require('chalk');
const uuid = require('uuid');
const iconv = require('iconv-lite');
const debug = require('debug');

handlebars.registerHelper('loud', (text) => text.toUpperCase());
console.log(handlebars.compile('{{#each list}}{{@index}}:{{loud this}} {{/each}}{{{raw}}}{{esc}}')(
  { list: ['a', 'b'], raw: '<b>', esc: '<i>' }));
console.log(ejs.render('<% for (const n of list) { %><li><%= n %></li>\n<% } %><%- raw %>',
  { list: ['<x>', 2], raw: '<hr>' }));
console.log(marked.parse('# Title\n\n*one* **two** `code`\n\n- a\n- b\n\n' +
  '| x | y |\n|---|---|\n| 1 | 2 |\n'));
console.log(yaml.load('a: [1, 2]\nb:\n  c: "x"\n  d: 2020-01-01\n'));
console.log(yaml.dump({ a: [1, { b: null }], text: 'two\nlines\n' }));
const validate = new Ajv({ allErrors: true }).compile({ type: 'object', required: ['id'],
  properties: { id: { type: 'integer', minimum: 1 },
    tags: { type: 'array', uniqueItems: true } } });
console.log(validate({ id: 1 }), validate({ id: 0, tags: [1, 1] }), validate.errors);
console.log(dayjs('2024-02-28T10:00:00Z').add(2, 'day').format('YYYY-MM-DD dddd'),
  dayjs('2024-01-01').diff('2023-01-01', 'day'));
console.log(semver.satisfies('1.2.3', '^1.0.0'), semver.inc('1.2.3-beta.1', 'prerelease'),
  semver.sort(['2.0.0', '1.10.0', '1.9.0']));
const map = immutable.fromJS({ a: { b: [1, 2] } });
console.log(map.setIn(['a', 'b', 1], 5).toJS(), map.getIn(['a', 'b', 1]), String(map));
console.log(lodash.groupBy([1.2, 1.8, 2.1], Math.floor), lodash.kebabCase('fooBar baz'),
  lodash.merge({ a: { b: 1 } }, { a: { c: 2 } }), lodash.template('hi <%= name %>')({ name: 'x' }));
console.log(new BN('123456789012345678901234567890').mul(new BN('987654321')).toString(16));
console.log(acorn.parse('const x = () => 1 ?? 2', { ecmaVersion: 2022 }).body[0].type);
console.log(JSON.stringify(new chalk.Chalk({ level: 1 }).red.bold('red')));
console.log(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/.test(uuid.v4()), uuid.v4().length,
  uuid.v5('name', uuid.v5.URL), uuid.v3('name', uuid.v3.DNS), uuid.validate('x'));
console.log(iconv.encode('žluť', 'win1250').toString('hex'), iconv.decode(Buffer.from('e9', 'hex'),
  'latin1'), iconv.encode('€', 'utf16').toString('hex'));
debug.enable('app:*');
console.log(debug.enabled('app:x'), debug.enabled('other'));
