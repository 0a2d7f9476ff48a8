const EventEmitter = require('events');
const { on, once } = EventEmitter;
(async () => {
  const emitter = new EventEmitter();
  setImmediate(() => {
    emitter.emit('data', 1);
    emitter.emit('data', 2, 'more');
    process.nextTick(() => emitter.emit('data', 3));
    setImmediate(() => emitter.emit('data', 'end'));
  });
  for await (const values of on(emitter, 'data')) {
    console.log(values);
    if (values[0] === 'end') break;
  }
  console.log('listeners left', emitter.listenerCount('data'), emitter.listenerCount('error'));
  setImmediate(() => emitter.emit('error', new Error('bad')));
  try {
    for await (const values of on(emitter, 'data')) console.log('never', values);
  } catch (error) {
    console.log('caught', error.message);
  }
  const stop = new AbortController();
  setImmediate(() => {
    emitter.emit('data', 'before');
    stop.abort();
  });
  try {
    for await (const values of on(emitter, 'data', { signal: stop.signal }))
      console.log(values);
  } catch (error) {
    console.log(error.name, error.code);
  }
  setImmediate(() => {
    emitter.emit('data', 'last');
    emitter.emit('finish');
    emitter.emit('data', 5);
  });
  for await (const values of on(emitter, 'data', { close: ['finish'] })) console.log(values);
  setImmediate(() => emitter.emit('one', 'a', 'b'));
  console.log('once', await once(emitter, 'one'));
  process.nextTick(() => emitter.emit('error', new Error('worse')));
  await once(emitter, 'one').catch((error) => console.log('once fails', error.message));
})();
