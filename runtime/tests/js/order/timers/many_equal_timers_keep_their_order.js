'use strict';
const seen = [];
for (let index = 0; index < 1000; index++) {
  const timer = setTimeout(() => seen.push(index), 5 + (index % 3) * 300);
  if (index % 7 === 0) {
    clearTimeout(timer);
  }
}
process.on('exit', () => {
  const groups = [0, 1, 2].map((rest) => seen.filter((index) => index % 3 === rest));
  const rises = (group) => group.every((value, at) => at === 0 || group[at - 1] < value);
  console.log(seen.length, groups.every(rises), seen.join() === groups.flat().join());
});
