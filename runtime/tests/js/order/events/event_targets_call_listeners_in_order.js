'use strict';
const target = new EventTarget();
const controller = new AbortController();
target.addEventListener('go', (event) => console.log('first', event.type));
target.addEventListener('go', () => console.log('once'), { once: true });
target.addEventListener('go', { handleEvent: (event) => console.log('object', event.type) });
target.addEventListener('go', () => console.log('by signal'), { signal: controller.signal });
target.addEventListener('go', (event) => {
  console.log('stopper');
  event.preventDefault();
  if (event.cancelable) {
    event.stopImmediatePropagation();
  }
});
target.addEventListener('go', () => console.log('last'));
console.log(target.dispatchEvent(new Event('go')));
controller.abort();
console.log(target.dispatchEvent(new Event('go', { cancelable: true })));
