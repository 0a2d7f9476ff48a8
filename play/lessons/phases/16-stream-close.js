const fs = require('fs');
const stream = fs.createReadStream(__filename);
stream.on('close', function onClose() {
  setTimeout(() => console.log('timeout'), 0);
  setImmediate(() => console.log('immediate'));
});
stream.read();
stream.close();
