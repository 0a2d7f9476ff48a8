'use strict';
// What options load before the program, and the first file where hooks or options choose how it is
// found.

const { homeFolder, resolveMain, runModule } = require('internal/boot/main');

function preload(names) {
  const Module = require('module');
  const parent = new Module('internal/preload');
  parent.paths = Module._nodeModulePaths(homeFolder());
  Module.prototype.isPreloading = true;
  for (const name of names) parent.require(name);
  Module.prototype.isPreloading = false;
}

// What is loaded first may change what is frozen then. Afterwards the program starts, when all of
// --import is there.
function load({ require: names, freezes, loaders, import: imported }, then) {
  if (names.length > 0) preload(names);
  if (freezes) require('internal/boot/frozen').freezeAll();
  if (loaders.length > 0) require('internal/esm/loader_hooks').registerAll(loaders);
  if (imported.length === 0) {
    then();
    return;
  }
  const base = require('url').pathToFileURL(`${homeFolder()}/`).href;
  runModule(async () => {
    for (const name of imported) await binding('modules').importModule(name, base);
    then();
  });
}

// --experimental-default-type=module: files are named in full.
function exactMain(name) {
  try {
    return require('fs').realpathSync(name);
  } catch (error) {
    throw require('internal/esm/words').hintOfCommon(error, name,
      require('internal/esm/resolve').parentAddress(''));
  }
}

// With hooks, what is not there is theirs to find.
function tryMain(name) {
  try {
    return resolveMain(name);
  } catch {
    return name;
  }
}

module.exports = { load, preload, exactMain, tryMain };
