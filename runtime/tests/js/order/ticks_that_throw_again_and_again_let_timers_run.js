let count = 0;
process.on('uncaughtException', () => {
  count++;
  process.nextTick(() => { throw new Error('again'); });
});
setTimeout(() => {
  console.log('timer', count > 0);
  process.exit();
}, 5);
process.nextTick(() => { throw new Error('first'); });
