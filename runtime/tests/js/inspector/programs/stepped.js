let total = 0;
function add(amount, factor) {
  const scaled = amount * factor;
  total += scaled;
  return total;
}
function caught() {
  try {
    throw new Error('caught');
  } catch (error) {
    return error.message;
  }
}
for (const amount of [1, 2, 3]) {
  const given = { amount };
  add(given.amount, 10);
}
debugger;
console.log(caught(), total);
module.exports = { add, fail() { throw new RangeError('not caught'); } };
