'use strict';
const { fork } = require('child_process');

if (process.argv[2] === 'child') {
  process.on('message', (message) => {
    process.send({ answer: message.question + 1 }, () => process.disconnect());
  });
  process.send('ready');
} else {
  const child = fork(__filename, ['child']);
  child.on('message', (message) => {
    console.log('message', message);
    if (message === 'ready') {
      child.send({ question: 1 });
    }
  });
  const ends = [];
  child.on('disconnect', () => ends.push(`disconnect ${child.connected}`));
  child.on('close', (code) => ends.push(`close ${code}`));
  process.on('exit', () => console.log(ends.sort().join()));
}
