await 1;
console.log('never by require');
