'use strict';
const fs = require('fs');

fs.open('file', 'w+', (error, fd) => {
  console.log('open', error);
  fs.write(fd, 'hello', (error, written) => {
    console.log('write', error, written);
    fs.read(fd, Buffer.alloc(5), 0, 5, 0, (error, read, buffer) => {
      console.log('read', error, read, buffer.toString());
      fs.close(fd, (error) => {
        console.log('close', error);
        fs.unlink('file', (error) => {
          console.log('unlink', error, fs.existsSync('file'));
        });
        console.log('after the call of unlink');
      });
    });
  });
});
console.log('main');
