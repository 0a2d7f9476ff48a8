'use strict';
// Package managers and compilers set such names on functions of their own.
const vm = require('vm');

const script = `'use strict';
function named() {}
for (const name of ['fileName', 'lineNumber', 'columnNumber']) named[name] = name;
JSON.stringify(Object.entries(named)) + ('fileName' in function () {})`;
console.log((0, eval)(script));
console.log(vm.runInNewContext(script));
console.log(Object.assign(() => {}, { fileName: 'a' }).fileName);
console.log(process.versions.v8, process.versions.napi, process.versions.modules);
console.log(process.features.tls, process.features.tls_sni);
