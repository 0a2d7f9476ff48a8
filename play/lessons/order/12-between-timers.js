for (const name of ['one', 'two']) {
  setTimeout(() => {
    console.log('timer', name);
    Promise.resolve().then(() => console.log('promise of', name));
    process.nextTick(() => console.log('tick of', name));
  }, 5);
}
