'use strict';
// Runtime.getProperties.

const types = require('util/types');

function keysOf(object, params) {
  let keys = types.isProxy(object) && object !== process.env ? [] : Reflect.ownKeys(object);
  if (params.nonIndexedPropertiesOnly) keys = keys.filter((key) => !/^\d+$/.test(String(key)));
  return keys;
}

function describeProperty(key, own, isOwn, wrap) {
  const made = { name: typeof key === 'symbol' ? String(key) : key };
  if ('value' in own) {
    made.value = wrap(own.value);
    made.writable = own.writable;
  } else {
    made.get = wrap(own.get);
    made.set = wrap(own.set);
  }
  made.configurable = own.configurable;
  made.enumerable = own.enumerable;
  made.isOwn = isOwn;
  if (typeof key === 'symbol') made.symbol = wrap(key);
  return made;
}

function internals(value, wrap) {
  const found = [];
  const add = (name, of) => found.push({ name: `[[${name}]]`, value: wrap(of) });
  if (types.isProxy(value)) return found;
  add('Prototype', Object.getPrototypeOf(value));
  if (types.isMap(value)) {
    add('Entries', [...Map.prototype.entries.call(value)].map(([key, item]) =>
      ({ key, value: item })));
  } else if (types.isSet(value)) {
    add('Entries', [...Set.prototype.values.call(value)].map((item) => ({ value: item })));
  } else if (types.isPromise(value)) {
    const [state, result] = binding('util').promiseState(value);
    add('PromiseState', ['pending', 'fulfilled', 'rejected'][state]);
    add('PromiseResult', result);
  } else if (types.isBoxedPrimitive(value)) {
    add('PrimitiveValue', value.valueOf());
  }
  return found;
}

function getProperties(session, params) {
  const { value, group } = session.objects.find(params.objectId);
  const wrap = (item) => session.objects.wrap(item,
    { group, generatePreview: params.generatePreview === true });
  const result = [];
  const seen = new Set();
  for (let at = Object(value); at !== null; at = Object.getPrototypeOf(at)) {
    for (const key of keysOf(at, params)) {
      if (seen.has(key)) continue;
      seen.add(key);
      const own = Object.getOwnPropertyDescriptor(at, key);
      if (own === undefined || (params.accessorPropertiesOnly && 'value' in own)) continue;
      result.push(describeProperty(key, own, at === value, wrap));
    }
    if (params.ownProperties || types.isProxy(at)) break;
  }
  if (params.accessorPropertiesOnly) return { result };
  return { result, internalProperties: internals(Object(value), wrap) };
}

module.exports = { getProperties };
