'use strict';
// V8 shows a function without a name under the words that it was assigned to.

const st = () => new Error('x').stack.split('\n')[2].trim().replace(/\(.*|\/.*/, '');
const log = (label, f) => console.log(label, '|', f());
const R = { list: [{}], o: {}, p: { q: {} } };
const a = () => R;
const i = 0;
const key = 'dyn';
a().b = function () { return st(); };
log('a().b', R.b);
R.list[0].b = function () { return st(); };
log('R.list[0].b', R.list[0].b);
R.list[i].b = () => st();
log('R.list[i].b', R.list[0].b);
(R).c = function () { return st(); };
log('(R).c', R.c);
R['o'].d = function () { return st(); };
log("R['o'].d", R.o.d);
R['o p'] = function () { return st(); };
log("R['o p']", R['o p']);
R[key] = function () { return st(); };
log('R[key]', () => R.dyn());
R.p.q.e = async () => st();
R.p.q.e().then((line) => console.log('R.p.q.e', line));
function F() {
  this.own = function () { return st(); };
}
F.prototype.g = function () { return st(); };
log('F.prototype.g', F.prototype.g);
log('this.own', () => new F().own());
exports.f = function () { return st(); };
log('exports.f', exports.f);
module.exports = exports = { deep: {} };
module.exports.deep.f = function () { return st(); };
log('module.exports.deep.f', module.exports.deep.f);
R.or ||= function () { return st(); };
log('R.or ||=', R.or);
R.o.
  lines = function () { return st(); };
log('lines', R.o.lines);
R.named = function own() { return st(); };
log('R.named', R.named);
R.made = (() => function () { return st(); })();
log('R.made', R.made);
console.log(R.b.name === '', R.c.name === '', exports.deep.f.name === '');
