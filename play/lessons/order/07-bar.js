let bar;
function someAsyncApiCall(callback) {
  process.nextTick(callback);
}
someAsyncApiCall(function onDone() {
  console.log('bar is', bar);
});
bar = 1;
console.log('bar is set');
