const fs = require('fs');
fs.readFile(__filename, function onRead() {
  setTimeout(() => console.log('timeout'), 0);
  setImmediate(() => console.log('immediate'));
});
