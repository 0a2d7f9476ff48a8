console.log('before');
setTimeout(function later() {
  console.log('timer');
}, 1000);
console.log('after');
