setTimeout(() => console.log('5 ms, unref'), 5).unref();
setTimeout(() => console.log('10 ms'), 10);
setTimeout(() => console.log('15 ms, unref'), 15).unref();
