// What setTimeout gives and nobody keeps is still a whole timer as the callback's this.
function forget(delay, name) {
  setTimeout(function callback() {
    console.log(name, this.constructor.name, this.hasRef(), typeof +this, this.mark);
    if (name === 'refreshed' && !forget.done) {
      forget.done = true;
      this.refresh();
    }
  }, delay);
}
forget(1, 'first');
setTimeout(function marked() {
  console.log('marked', this.mark);
}, 60).mark = 'kept';
const known = new WeakMap();
const proto = { own: true };
known.set(
  setTimeout(function weak() {
    console.log('weak', known.get(this));
  }, 120),
  'known',
);
Object.setPrototypeOf(
  setTimeout(function changed() {
    console.log('proto', this.own);
  }, 180),
  proto,
);
setTimeout(() => console.log('never'), 1e6).unref();
const id = +setTimeout(() => console.log('cleared'), 40);
let turns = 0;
setInterval(function again() {
  console.log('interval', ++turns, this === (again.self ??= this));
  if (turns < 3) return;
  clearInterval(this);
  forget(20, 'refreshed');
}, 240);
clearTimeout(id);
