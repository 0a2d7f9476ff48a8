setTimeout(() => console.log('twenty'), 20);
setTimeout(() => console.log('ten, first'), 10);
setTimeout(() => console.log('one'), 1);
setTimeout(() => console.log('ten, second'), 10);
setTimeout(() => console.log('zero'), 0);
