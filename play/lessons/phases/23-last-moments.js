let asked = false;
process.on('beforeExit', () => {
  console.log('beforeExit');
  if (asked) return;
  asked = true;
  setTimeout(() => console.log('timer of beforeExit'), 10);
});
process.on('exit', () => {
  console.log('exit');
  setTimeout(() => console.log('never'), 0);
});
