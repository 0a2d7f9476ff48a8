setTimeout(function first() {
  console.log('first');
  clearTimeout(second);
}, 5);
const second = setTimeout(() => console.log('second'), 5);
setTimeout(() => console.log('third'), 5);
