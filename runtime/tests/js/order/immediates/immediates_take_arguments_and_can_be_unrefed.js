'use strict';
setImmediate((...all) => console.log(all.join()), 1, 2, 3, 4);
const idle = setImmediate(() => console.log('runs because the others keep the loop alive'));
console.log(idle.hasRef(), idle.unref() === idle, idle.hasRef(), idle.ref().hasRef());
try {
  setImmediate(1);
} catch (error) {
  console.log(error.name, error.code);
}
