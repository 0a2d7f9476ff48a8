'use strict';
// Node's name internal/linkedlist: rings in which the list itself is a member. Members are joined
// behind the list, so the oldest is the one before it.

function join(first, second) {
  first._idleNext = second;
  second._idlePrev = first;
}

function init(list) {
  join(list, list);
  return list;
}

const isMember = (item) => Boolean(item._idleNext && item._idlePrev);

function remove(item) {
  if (isMember(item)) join(item._idlePrev, item._idleNext);
  Object.assign(item, { _idleNext: null, _idlePrev: null });
}

function append(list, item) {
  remove(item);
  join(item, list._idleNext);
  join(list, item);
}

function peek(list) {
  const oldest = list._idlePrev;
  return oldest === list ? null : oldest;
}

module.exports = { init, remove, append, peek, isEmpty: (list) => peek(list) === null };
