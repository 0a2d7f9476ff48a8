"$1" --expose-gc -e '
const registry = new FinalizationRegistry((name) => console.log(name, "is gone"));
let kept = {};
(() => {
  registry.register(kept, "kept", kept);
  const left = {};
  registry.register(left, "left", left);
  const taken = {};
  registry.register(taken, "taken", taken);
  console.log(registry.unregister(taken), registry.unregister(taken));
})();
setImmediate(() => {
  gc();
  setTimeout(() => {
    console.log(registry.unregister(kept));
    kept = undefined;
  }, 20);
});'
