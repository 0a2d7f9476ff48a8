'use strict';
// Node's name internal/linkedlist: a ring of objects, the list among them, in the order in which
// they were appended. The order is kept beside the objects: nothing of it shows on them.

const next = new WeakMap(); // who was appended after this one; the list comes after the last
const previous = new WeakMap();

function join(one, other) {
  next.set(one, other);
  previous.set(other, one);
}

const isAlone = (one) => !next.has(one) || next.get(one) === one;

function init(one) {
  join(one, one);
}

function remove(one) {
  if (isAlone(one)) return;
  join(previous.get(one), next.get(one));
  join(one, one);
}

function append(list, one) {
  remove(one);
  const last = previous.get(list);
  join(one, list);
  join(last, one);
}

const peek = (list) => (isAlone(list) ? null : next.get(list));

module.exports = { init, remove, append, isEmpty: isAlone, peek };
