// babel, terser, uglify-js, less, sass, postcss with autoprefixer, eslint
'use strict';
const { Linter } = require('eslint');

async function main() {
  console.log(require('@babel/core').transformSync('const f = (a) => a?.b ?? 1;',
    { configFile: false }).code);
  console.log((await require('terser').minify(
    'function add(first, second) { return first + second; } console.log(add(1, 2));')).code);
  console.log(require('uglify-js').minify('var a = function(x){ return x + 1 + 2 };').code);
  console.log((await require('less').render('@c: red; a { b { color: darken(@c, 10%); } }')).css);
  console.log(require('sass').compileString('$c: #123456; a { b { color: $c; } }').css);
  console.log((await require('postcss')([require('autoprefixer')])
    .process('a { user-select: none }', { from: undefined })).css);
  const found = new Linter().verify('var a = 1; if (a = 2) { unknown() }',
    [{ rules: { 'no-undef': 2, 'no-cond-assign': 2, 'no-var': 1 } }]);
  for (const { line, column, ruleId, message } of found) console.log(line, column, ruleId, message);
}
main();
