// needs: plain_promises
// stack: 16384
// frames: on the stack
// Nobody gets a promise of a call that could not begin, so none is rejected unseen.
'use strict';

process.on('unhandledRejection', () => { console.log('a rejection that nobody saw'); });

function dive() {
  (async () => { await 1; })();
  dive();
}

try {
  dive();
} catch (error) {
  console.log(error.name);
}
setImmediate(() => console.log('and on'));
