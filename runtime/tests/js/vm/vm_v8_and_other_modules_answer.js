'use strict';
const v8 = require('v8');
const vm = require('vm');

console.log(vm.runInThisContext('1 + 1'), vm.runInNewContext('x + 1', { x: 2 }));
const box = vm.createContext({ a: 1, console });
vm.runInContext(
    'var b = a + 1; c = 5; function f() { return b; } console.log(typeof process)',
    box,
);
console.log(Object.keys(box).sort(), box.b, box.c, box.f());
box.b = 9;
console.log(vm.runInContext('b', box), vm.isContext(box), vm.isContext({}));
console.log(
    vm.runInContext('Array.isArray([]) && [] instanceof Array', box),
    vm.runInContext('[]', box) instanceof Array,
);
const script = new vm.Script('n = (n || 0) + 1', { filename: 'counted.js' });
const counter = vm.createContext({ n: 0 });
for (let i = 0; i < 3; i++) script.runInContext(counter);
console.log(counter.n);
try {
    new vm.Script('a b', { filename: 'wrong.js' });
} catch (error) {
    console.log(error.name);
}
try {
    vm.runInNewContext('throw new TypeError("inside")');
} catch (error) {
    console.log(error instanceof TypeError, error.message);
}
console.log(vm.compileFunction('return x * 2', ['x'])(4));

const value = {
    a: [1, new Map([[1, new Set([2])]])],
    d: new Date(0),
    b: new Uint8Array([1]),
    u: undefined,
};
console.log(v8.deserialize(v8.serialize(value)));
console.log(Object.keys(v8.getHeapStatistics()).length, v8.setFlagsFromString('--stack-size=900'));

console.log(new (require('https').Agent)().protocol, require('https').Agent().defaultPort);
console.log(
    require('cluster').isPrimary,
    require('cluster').isWorker,
    require('constants').SIGINT,
    typeof require('tls').connect,
    typeof require('http2').connect,
    require('http2').constants.HTTP2_HEADER_STATUS,
);
const domain = require('domain').create();
domain.on('error', error => console.log('domain', error.message));
console.log(typeof domain.bind(() => {}), require('inspector').url());
