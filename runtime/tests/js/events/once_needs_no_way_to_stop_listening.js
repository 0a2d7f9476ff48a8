'use strict';
const { once } = require('events');

// As the pools of vitest's workers are: they can be listened to and no more.
const listeners = {};
const target = {
  on(name, listener) { listeners[name] = listener; },
  once(name, listener) { listeners[name] = listener; },
};
once(target, 'exit').then((args) => console.log('ended', args));
listeners.exit(3, 'why');
