console.log('before');
setTimeout(function later() {
  console.log('an hour later');
}, 3600000);
console.log('after');
