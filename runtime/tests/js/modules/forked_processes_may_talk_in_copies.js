const { fork } = require('child_process');
if (process.argv[2] === 'child') {
  process.on('message', (message) => {
    process.send({ back: message, big: 10n, none: undefined, nan: NaN, error: new Error('text'),
      pattern: /a/g, bytes: new Uint8Array([1, 2, 3]), long: 'x'.repeat(200000).length });
    if (message.end) process.disconnect();
  });
} else {
  const child = fork(__filename, ['child'], { serialization: 'advanced' });
  child.on('message', ({ error, ...message }) => console.log(message, error.message));
  child.send({ date: new Date(0), map: new Map([[1, { a: 2 }]]) });
  child.send({ text: 'y'.repeat(70).concat('\n'), set: new Set([1]), end: true });
  child.on('close', (code) => console.log('close', code));
  try {
    child.send({ f() {} });
  } catch (error) {
    console.log(error.message);
  }
  try {
    fork(__filename, ['child'], { serialization: 'other' });
  } catch (error) {
    console.log(error.code, error.message);
  }
}
