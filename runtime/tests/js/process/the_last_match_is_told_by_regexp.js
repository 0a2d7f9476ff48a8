'use strict';
// RegExp.$1 and its kin: what the program's last match found, whatever the runtime matches.
const show = () => [RegExp.$1, RegExp.$2, RegExp.$9, RegExp.input, RegExp.$_, RegExp.lastMatch,
  RegExp['$&'], RegExp.lastParen, RegExp['$+'], RegExp.leftContext, RegExp['$`'],
  RegExp.rightContext, RegExp["$'"]];
console.log(show());
/(\w+)-(\d+)?/.exec('see ab-12 there'); console.log(show());
/(x)|(y)/.test('ayb'); console.log(show());
'héllo \u{1F600} w'.replace(/l(l)(o)/, 'x'); console.log(show());
'none'.match(/zzz/); console.log(RegExp.$1);
require('path').resolve('a/b/../c'); new URL('http://a/b'); console.log(show()[0]);
/(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)/.exec('_abcdefghijk_'); console.log(show());
'a1b2'.replace(/([a-z])(\d)/g, (all) => RegExp.$1 + RegExp.$2); console.log(show());
console.log(Object.keys(RegExp), 'aXbXc'.split(/(X)/), RegExp.$1);
