setTimeout(function due() {
  console.log('timer');
}, 1);
const end = Date.now() + 20;
while (Date.now() < end);
console.log('20 ms of work are done');
