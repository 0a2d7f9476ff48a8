const { EventEmitter } = require('events');
const emitter = new EventEmitter();
emitter.on('news', (what) => console.log('first hears', what));
emitter.on('news', (what) => console.log('second hears', what));
console.log('before');
emitter.emit('news', 'hello');
console.log('after');
