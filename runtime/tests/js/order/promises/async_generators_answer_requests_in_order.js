'use strict';
async function* numbers() {
  try {
    console.log('started');
    yield 1;
    console.log('after 1');
    yield Promise.resolve(2);
    console.log('after 2');
    yield 3;
  } finally {
    console.log('finally');
  }
}
const all = numbers();
all.next().then((answer) => console.log('first', answer));
all.next().then((answer) => console.log('second', answer));
all.return('stop').then((answer) => console.log('third', answer));
all.next().then((answer) => console.log('fourth', answer));
console.log('main');
