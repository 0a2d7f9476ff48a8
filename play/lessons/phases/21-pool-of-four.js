const { pbkdf2 } = require('crypto');
let done = 0;
for (let i = 0; i < 6; i++) {
  pbkdf2('secret', 'salt', 10, 32, 'sha256', function onKey() {
    console.log('keys made:', ++done);
  });
}
console.log('the script is done');
