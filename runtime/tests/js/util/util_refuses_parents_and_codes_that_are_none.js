'use strict';
const util = require('util');
for (const wrong of [
  () => util.inherits(function A() {}, { }),
  () => util.inherits(function A() {}, null),
  () => util.inherits(undefined, function B() {}),
  ...[1, true, false, null, {}].map((code) => () => util.deprecate(() => {}, 'old', code)),
]) {
  try {
    wrong();
    console.log('taken');
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
