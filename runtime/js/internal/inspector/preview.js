'use strict';
// The first properties of an object, for a client that shows it on one line.

const types = require('util/types');

const MOST_PROPERTIES = 5;
const MOST_ITEMS = 100;
const MOST_TEXT = 100;

function shorten(text) {
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}\u2026` : text;
}

function entry(name, value, describe) {
  const shown = describe(value);
  const made = { name, type: shown.type };
  if (shown.type === 'function') made.value = '';
  else if (shown.type === 'string') made.value = shorten(shown.value);
  else made.value = shorten(shown.description ?? `${shown.value}`);
  if (shown.subtype !== undefined) made.subtype = shown.subtype;
  return made;
}

function keysOf(value) {
  if (types.isProxy(value) && value !== process.env) return [];
  return Reflect.ownKeys(value).filter((key) =>
    !((Array.isArray(value) || types.isTypedArray(value)) && key === 'length'));
}

function properties(value, describe) {
  const most = Array.isArray(value) || types.isTypedArray(value) ? MOST_ITEMS : MOST_PROPERTIES;
  const found = [];
  let overflow = false;
  for (const key of keysOf(value)) {
    const own = Object.getOwnPropertyDescriptor(value, key);
    if (own === undefined || (!own.enumerable && !types.isNativeError(value))) continue;
    if (found.length === most) {
      overflow = true;
      break;
    }
    if ('value' in own) found.push(entry(String(key), own.value, describe));
    else found.push({ name: String(key), type: 'accessor' });
  }
  return { found, overflow };
}

function inner(value, describe) {
  const shown = describe(value);
  const made = { type: shown.type };
  if (shown.subtype !== undefined) made.subtype = shown.subtype;
  made.description = shorten(shown.description ?? `${shown.value}`);
  if (typeof value !== 'object' || value === null) {
    return { ...made, overflow: false, properties: [] };
  }
  // Entries of entries are not shown.
  const isFull = (types.isMap(value) || types.isSet(value)) && value.size > 0;
  const { found, overflow } = properties(value, describe);
  return { ...made, overflow: overflow || isFull, properties: found };
}

function entries(value, describe) {
  const found = [];
  if (types.isMap(value)) {
    for (const [key, item] of Map.prototype.entries.call(value)) {
      if (found.push({ key: inner(key, describe), value: inner(item, describe) }) === 5) break;
    }
  } else {
    for (const item of Set.prototype.values.call(value)) {
      if (found.push({ value: inner(item, describe) }) === 5) break;
    }
  }
  return found;
}

function preview(value, describe, shown) {
  const { found, overflow } = properties(value, describe);
  const made = { type: shown.type };
  if (shown.subtype !== undefined) made.subtype = shown.subtype;
  Object.assign(made, { description: shown.description, overflow, properties: found });
  if (types.isMap(value) || types.isSet(value)) {
    made.entries = entries(value, describe);
    made.overflow ||= value.size > made.entries.length;
  }
  return made;
}

module.exports = { preview };
