'use strict';
let bar;

function notAsyncApiCall(callback) {
  callback();
}

notAsyncApiCall(() => console.log('bar', bar));
bar = 1;
