'use strict';
// The plug-in, when something of WebAssembly is first used: a program that only looks whether it is
// there does not load it.

// As in runtime/plugins/wasm/wasm.h.
const KIND = { __proto__: null, FUNCTION: 0, TABLE: 1, MEMORY: 2, GLOBAL: 3, TAG: 4, MODULE: 5 };

let loaded;
let given; // what C gets when it starts, by the order of wasm_given

function native() {
  if (loaded === undefined) {
    const plugin = binding('wasm');
    plugin.start(given);
    loaded = plugin;
  }
  return loaded;
}

function give(values) {
  given = values;
}

const isKind = (value, kind) =>
  typeof value === 'object' && value !== null && loaded !== undefined &&
  loaded.isKind(value, kind);

module.exports = { KIND, native, give, isKind };
