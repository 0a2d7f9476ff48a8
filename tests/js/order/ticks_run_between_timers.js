'use strict';
for (let i = 0; i < 3; i++) {
  setTimeout(() => {
    console.log('timer', i);
    process.nextTick(() => console.log('tick', i));
    Promise.resolve().then(() => console.log('promise', i));
  }, 5);
}
