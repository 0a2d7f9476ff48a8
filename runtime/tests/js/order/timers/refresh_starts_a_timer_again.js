'use strict';
const start = Date.now();
const timer = setTimeout(() => console.log('fired', Date.now() - start >= 70), 50);
setTimeout(() => timer.refresh(), 25);
const once = setTimeout(() => {
  console.log('once');
  if (!once.again) {
    once.again = true;
    once.refresh();
  }
}, 5);
