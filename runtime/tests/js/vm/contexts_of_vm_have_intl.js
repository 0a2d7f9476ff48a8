'use strict';
const vm = require('vm');

console.log(vm.runInNewContext('typeof Intl + typeof Intl.NumberFormat'));
console.log(vm.runInNewContext('Object.getOwnPropertyDescriptor(globalThis, "Intl").enumerable'));
console.log(vm.runInNewContext('Intl = 1; Intl'), typeof Intl);
console.log(vm.runInNewContext('new Intl.PluralRules("en").select(1)'));
