process.on('uncaughtException', (error) => console.log('caught at last:', error.message));
setTimeout(function fails() {
  console.log('before');
  throw new Error('no');
}, 1);
setTimeout(() => console.log('the next timer runs'), 5);
