console.log('started with', process.argv.slice(2), process.connected);
process.on('message', (message) => process.send({ done: true, echo: message }));
process.on('disconnect', () => { process.exitCode = 6; });
process.send({ hello: true });
