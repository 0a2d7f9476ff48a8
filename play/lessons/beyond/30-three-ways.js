function ask(what, callback) {
  process.nextTick(callback, null, what);
}
function promised(what) {
  return new Promise((resolve) => ask(what, (error, answer) => resolve(answer)));
}
(async () => console.log(await promised('await')))();
promised('promise').then((answer) => console.log(answer));
ask('callback', (error, answer) => console.log(answer));
