# --experimental-shadow-realm: what crosses the border, and that nothing else does.
program=$1
echo 'let n = 0; export const next = () => n++; export const list = [];' >counter.mjs
echo 'export { next } from "./counter.mjs"; export default import.meta.url.slice(-10);' >again.mjs
echo 'export { missing } from "./counter.mjs";' >broken.mjs
cat >realms.js <<'END'
const realm = new ShadowRealm();
const show = (name, call) => {
  try {
    const value = call();
    console.log(name, typeof value, typeof value === 'function' ? value.name : String(value));
  } catch (error) {
    console.log(name, error.constructor === globalThis[error.name], error.name, error.message);
  }
};
const inside = (text) => realm.evaluate(text);
show('number', () => inside('1 + 1'));
show('symbol', () => inside('Symbol.iterator') === Symbol.iterator);
show('object', () => inside('({})'));
show('error', () => inside('throw new RangeError("no")'));
show('a thrown number', () => inside('throw 5'));
show('syntax', () => inside('a b'));
show('no text', () => inside(5));
show('thrown syntax', () => inside('throw new SyntaxError("x")'));
show('var', () => inside('var v = 1; let w = 2; v + w'));
show('var again', () => inside('typeof v + typeof w'));
show('names', () => typeof v + typeof inside('globalThis.own = 1; own'));
show('not here', () => 'own' in globalThis);
show('this', () => inside('this === globalThis'));
const named = inside('(function named(a, b) { "use strict"; return typeof a + typeof this; })');
console.log(named.name, named.length, Object.getPrototypeOf(named) === Function.prototype,
  Object.getOwnPropertyNames(named).join());
show('arguments', () => named(() => 1));
show('receiver', () => named.call('x', null));
show('an object as argument', () => named({}));
show('an object as receiver', () => named.call({}));
show('twice', () => inside('(call) => call(1)')((x) => x + 1));
show('thrown back', () => inside('(call) => call()')(() => { throw new Error('inner'); }));
show('an object given back', () => inside('(call) => call()')(() => ({})));
show('caught inside', () => inside(`(call) => {
  try { call(); } catch (error) { return error.constructor === TypeError && error.message; } }`)(
  () => { throw new Error('inner'); }));
show('functions of the realm', () =>
  inside('(call) => Object.getPrototypeOf(call) === Function.prototype')(() => {}));
show('a name that throws', () =>
  inside('Object.defineProperty(() => 1, "name", { get() { throw new Error("q"); } })'));
show('a length', () => inside('Object.defineProperty(() => 1, "length", { value: -3 })').length);
show('a proxy', () => inside('new Proxy(function p() { return 3; }, {})')());
show('another realm inside', () =>
  inside('new ShadowRealm().evaluate("(call) => call() + 1")((() => 1))'));
show('its class', () => inside('new ShadowRealm() instanceof ShadowRealm'));
show('bytes', () => inside('new TextEncoder().encode("é") instanceof Uint8Array'));
show('text', () => inside('new TextDecoder().decode(new TextEncoder().encode("aé€"))'));
show('events', () => inside(`const target = new EventTarget(); let seen = "";
  target.addEventListener("x", (event) => { seen += event.type; });
  target.dispatchEvent(new Event("x")); seen`));
show('stack', () => inside('function f() { return new Error("e").stack } f()').split('\n', 2).join()
  .replace(/\(.*/, ''));
show('prepared', () => inside(
  'Error.prepareStackTrace = (e, sites) => e.message + (sites.length > 0); new Error("p").stack'));
(async () => {
  const imported = async (name, from, what) => {
    const value = await realm.importValue(from, what).catch((error) =>
      `${error.constructor === TypeError} ${error.message.replaceAll(process.cwd(), 'CWD')}`);
    console.log(name, typeof value, typeof value === 'function' ? value() : value);
  };
  await imported('function', './counter.mjs', 'next');
  await imported('the same module', './again.mjs', 'next');
  await imported('address', './again.mjs', 'default');
  await imported('list', './counter.mjs', 'list');
  await imported('missing name', './counter.mjs', 'other');
  await imported('missing file', './other.mjs', 'x');
  await imported('missing package', 'other', 'x');
  await imported('built in', 'fs', 'readFile');
  await imported('built in by its address', 'node:fs', 'readFile');
  await imported('throws', 'data:text/javascript,throw new RangeError("r")', 'x');
  await imported('json', 'data:application/json,{}', 'x');
  await import('./counter.mjs').then((own) => console.log('ours', own.next()));
  realm.evaluate(`(tell) => { import("./other.mjs").catch(
    (error) => tell(error.constructor === Error, error.constructor("x") instanceof Object)); }`)(
    (...args) => console.log('an error of the realm', ...args));
  realm.evaluate(`(tell) => {
    import("./broken.mjs").catch((error) => tell(error instanceof SyntaxError)); }`)(
    (is) => console.log('a link of the realm', is));
})();
END
"$program" --no-warnings --experimental-shadow-realm realms.js
"$program" -p 'typeof ShadowRealm'
