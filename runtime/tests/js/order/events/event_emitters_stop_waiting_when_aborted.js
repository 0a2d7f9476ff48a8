'use strict';
const { once, on, EventEmitter } = require('events');

const controller = new AbortController();
const { signal } = controller;
const emitter = new EventEmitter();
once(emitter, 'never', { signal }).catch((error) => console.log('once', error.name));
(async () => {
  try {
    for await (const _ of on(emitter, 'item', { signal })) {
      console.log('item');
      process.nextTick(() => controller.abort());
    }
  } catch (error) {
    console.log('on', error.name, emitter.listenerCount('item'));
  }
})();
emitter.emit('item');
