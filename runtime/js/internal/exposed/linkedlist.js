'use strict';
// Node's name internal/linkedlist: rings whose members hold their neighbours. The oldest member is
// the one before the list itself.

function init(list) {
  list._idleNext = list;
  list._idlePrev = list;
  return list;
}

function remove(item) {
  if (item._idleNext) item._idleNext._idlePrev = item._idlePrev;
  if (item._idlePrev) item._idlePrev._idleNext = item._idleNext;
  item._idleNext = null;
  item._idlePrev = null;
}

function append(list, item) {
  if (item._idleNext || item._idlePrev) remove(item);
  item._idleNext = list._idleNext;
  item._idlePrev = list;
  list._idleNext._idlePrev = item;
  list._idleNext = item;
}

const isEmpty = (list) => list._idleNext === list;
const peek = (list) => (list._idlePrev === list ? null : list._idlePrev);

module.exports = { init, remove, append, isEmpty, peek };
