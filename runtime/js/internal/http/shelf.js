'use strict';
// Objects that wait for the next one who needs such: alloc() takes one down or makes it, free()
// puts one back and says whether there was room.

function shelf(name, max, make) {
  const list = [];
  return {
    name,
    max,
    list,
    alloc(...args) { return list.pop() ?? make(...args); },
    free(object) { return list.length < this.max && list.push(object) > 0; },
  };
}

module.exports = { shelf };
