'use strict';
// What showHidden shows of an object's prototypes: the properties of those that the program made,
// without methods and without what nearer objects hide.

const NEAREST = 3; // prototypes that are looked at

// The constructor that a prototype names, if the object is one of its own.
function makerAt(prototype, value) {
  const maker = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  try {
    return typeof maker === 'function' && maker.name !== '' && value instanceof maker
      ? maker : undefined;
  } catch {
    return undefined; // of a constructor that judges by itself
  }
}

function isBuiltIn(maker) {
  return Function.prototype.toString.call(maker).endsWith('[native code]\n}');
}

// [key, descriptor] of each
function inheritedOf(value) {
  const found = [];
  const hidden = new Set(Reflect.ownKeys(value)).add('constructor');
  let isMade = false;
  let prototype = Object.getPrototypeOf(value);
  for (let i = 0; prototype !== null; i++, prototype = Object.getPrototypeOf(prototype)) {
    const maker = makerAt(prototype, value);
    if (maker !== undefined) {
      isMade = true;
      if (isBuiltIn(maker)) break;
    }
    if (i >= NEAREST) continue;
    for (const key of Reflect.ownKeys(prototype)) {
      if (hidden.has(key)) continue;
      hidden.add(key);
      const descriptor = Object.getOwnPropertyDescriptor(prototype, key);
      if (typeof descriptor.value !== 'function') found.push([key, descriptor]);
    }
  }
  return isMade ? found : [];
}

module.exports = { inheritedOf };
