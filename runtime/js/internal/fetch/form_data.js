'use strict';
// FormData: names with texts and files, in their order.

const { withCode } = require('internal/errors/errors');

const inspected = Symbol.for('nodejs.util.inspect.custom');

function required(count, given, name) {
  if (given >= count) return;
  throw new TypeError(`FormData.${name}: ${count} argument${count > 1 ? 's' : ''} required, ` +
    `but${given > 0 ? ' only' : ''} ${given} found.`);
}

// Files stay what they are; other blobs become files.
function entryOf(name, value, filename, method) {
  const key = `${name}`.toWellFormed();
  if (!(value instanceof Blob)) {
    if (filename !== undefined) {
      throw new TypeError(
        `Failed to execute '${method}' on 'FormData': parameter 2 is not of type 'Blob'`);
    }
    return [key, `${value}`.toWellFormed()];
  }
  if (value instanceof File && filename === undefined) return [key, value];
  const fileName = filename === undefined ? 'blob' : `${filename}`.toWellFormed();
  return [key, new File([value], fileName,
    { type: value.type, lastModified: value.lastModified })];
}

const iteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
const FormDataIterator = Object.create(iteratorPrototype, {
  next: { value: function next() { return this.steps.next(); }, enumerable: true,
    writable: true, configurable: true },
  [Symbol.toStringTag]: { value: 'FormData Iterator', configurable: true },
});

// Sees what is added while it goes on, as a list that is walked by index does.
function iterate(list, choose) {
  const steps = (function* walk() {
    for (let i = 0; i < list.entries.length; i++) yield choose(list.entries[i]);
  })();
  return Object.create(FormDataIterator, { steps: { value: steps } });
}

class FormData {
  #list = { entries: [] };

  constructor(form = undefined) {
    if (form !== undefined) {
      throw new TypeError(
        'FormData constructor: Argument 1 could not be converted to: undefined.');
    }
  }

  static #of(form) {
    if (form === null || typeof form !== 'object' || !(#list in form))
      throw withCode(TypeError, 'ERR_INVALID_THIS', 'Illegal invocation');
    return form.#list;
  }

  append(name, value, filename = undefined) {
    const list = FormData.#of(this);
    required(2, arguments.length, 'append');
    list.entries.push(entryOf(name, value, filename, 'append'));
  }

  delete(name) {
    const list = FormData.#of(this);
    required(1, arguments.length, 'delete');
    const key = `${name}`.toWellFormed();
    list.entries = list.entries.filter(([one]) => one !== key);
  }

  get(name) {
    const list = FormData.#of(this);
    required(1, arguments.length, 'get');
    const key = `${name}`.toWellFormed();
    return list.entries.find(([one]) => one === key)?.[1] ?? null;
  }

  getAll(name) {
    const list = FormData.#of(this);
    required(1, arguments.length, 'getAll');
    const key = `${name}`.toWellFormed();
    return list.entries.filter(([one]) => one === key).map(([, value]) => value);
  }

  has(name) {
    const list = FormData.#of(this);
    required(1, arguments.length, 'has');
    const key = `${name}`.toWellFormed();
    return list.entries.some(([one]) => one === key);
  }

  set(name, value, filename = undefined) {
    const list = FormData.#of(this);
    required(2, arguments.length, 'set');
    const entry = entryOf(name, value, filename, 'set');
    const first = list.entries.findIndex(([one]) => one === entry[0]);
    if (first === -1) list.entries.push(entry);
    else list.entries = list.entries.flatMap((one, i) =>
      i === first ? [entry] : one[0] === entry[0] ? [] : [one]);
  }

  keys() { return iterate(FormData.#of(this), ([name]) => name); }

  values() { return iterate(FormData.#of(this), ([, value]) => value); }

  entries() { return iterate(FormData.#of(this), ([name, value]) => [name, value]); }

  forEach(work, self = globalThis) {
    FormData.#of(this);
    required(1, arguments.length, 'forEach');
    if (typeof work !== 'function') {
      throw new TypeError(
        "Failed to execute 'forEach' on 'FormData': parameter 1 is not of type 'Function'.");
    }
    for (const [name, value] of this) work.call(self, value, name, this);
  }

  [inspected](depth, options, inspect) {
    const shown = { __proto__: null };
    for (const [name, value] of this) {
      if (!Object.hasOwn(shown, name)) shown[name] = value;
      else if (Array.isArray(shown[name])) shown[name].push(value);
      else shown[name] = [shown[name], value];
    }
    const text = inspect(shown, { ...options, depth });
    return `FormData ${text.slice(text.indexOf(']') + 2)}`;
  }
}

Object.defineProperties(FormData.prototype, {
  [Symbol.iterator]: { value: FormData.prototype.entries, writable: true, configurable: true },
  [Symbol.toStringTag]: { value: 'FormData', configurable: true },
});
for (const name of Object.getOwnPropertyNames(FormData.prototype))
  if (name !== 'constructor') Object.defineProperty(FormData.prototype, name, { enumerable: true });

module.exports = { FormData };
