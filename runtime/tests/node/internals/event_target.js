'use strict';
// Node's name internal/event_target.

const target = require('internal/events/target');

// How many listeners an object has, by the types of events.
const kEvents = Symbol('kEvents');
Object.defineProperty(target.EventTarget.prototype, kEvents, {
  configurable: true,
  enumerable: false,
  get() {
    const counts = [...this[target.kEvents]].map(([type, list]) => [type, { size: list.length }]);
    return new Map(counts);
  },
});

module.exports = {
  ...target, kEvents,
  defineEventHandler: (owner, name, type) =>
    target.defineHandler({ prototype: owner }, name, type),
  kWeakHandler: target.kWeak,
};
