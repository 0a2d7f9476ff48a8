let beats = 0;
const timer = setInterval(function beat() {
  console.log('beat', ++beats);
  if (beats === 3) clearInterval(timer);
}, 10);
setTimeout(() => console.log('25 ms'), 25);
