const { Readable } = require('stream');
const stream = Readable.from(['one', 'two', 'three']);
stream.on('data', (chunk) => console.log('data', chunk));
stream.on('end', () => console.log('end'));
setImmediate(() => console.log('immediate'));
console.log('script');
