const list = [1, 2, 3];
let sum = 0;
function double(value) {
  const twice = value * 2;
  return twice;
}
sum += double(list[0]);
sum += double(list[1]);
const holder = {
  name: 'holder',
  stop() {
    debugger;
    return this.name;
  },
};
holder.stop();
console.log('busy', sum);
function spin() {
  let turns = 0;
  while (!globalThis.isOver) {
    turns++;
  }
  return turns;
}
spin();
process.exitCode = 5;
