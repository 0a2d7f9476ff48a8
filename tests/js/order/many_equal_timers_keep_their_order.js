'use strict';
const seen = [];
for (let index = 0; index < 1000; index++) {
    const timer = setTimeout(() => seen.push(index), 5 + (index % 3) * 100);
    if (index % 7 === 0) {
        clearTimeout(timer);
    }
}
process.on('exit', () => {
    const groups = [0, 1, 2].map((rest) => seen.filter((index) => index % 3 === rest));
    const sorted = groups.every((group) => group.every((value, at) => !at || group[at - 1] < value));
    console.log(seen.length, sorted, seen.join() === groups.flat().join());
});
