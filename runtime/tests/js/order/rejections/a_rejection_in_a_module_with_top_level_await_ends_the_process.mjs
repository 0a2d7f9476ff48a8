process.on('exit', (code) => console.log('exit', code));
setTimeout(() => console.log('never: timeout'), 1000);
console.log('before');
await Promise.reject(new Error('awaited'));
console.log('never: after');
