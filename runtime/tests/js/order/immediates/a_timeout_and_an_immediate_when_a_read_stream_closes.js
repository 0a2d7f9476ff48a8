'use strict';
const fs = require('fs');

const stream = fs.createReadStream(__filename);
stream.on('close', () => {
  setTimeout(() => console.log('timeout'), 0);
  setImmediate(() => console.log('immediate'));
});
stream.read();
stream.close();
