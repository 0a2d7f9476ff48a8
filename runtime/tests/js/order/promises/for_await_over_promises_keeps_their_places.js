'use strict';
const { setTimeout: wait } = require('timers/promises');

(async () => {
  for await (const value of [wait(20, 'slow'), 'plain', wait(1, 'fast')]) {
    console.log(value);
  }
  const closing = {
    [Symbol.asyncIterator]() {
      let count = 0;
      return {
        next: async () => ({ value: ++count, done: false }),
        return: async () => {
          console.log('return');
          return {};
        },
      };
    },
  };
  for await (const value of closing) {
    console.log(value);
    if (value === 2) {
      break;
    }
  }
  console.log('after break');
  try {
    for await (const value of closing) {
      throw new Error(`at ${value}`);
    }
  } catch (error) {
    console.log(error.message);
  }
  try {
    for await (const value of [1, Promise.reject(new Error('rejected')), 3]) {
      console.log(value);
    }
  } catch (error) {
    console.log(error.message);
  }
})();
