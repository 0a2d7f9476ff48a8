'use strict';
// Node's name internal/modules/esm/resolve.

const path = require('path');
const { mainFile, resolve, toUrl } = require('internal/esm/resolve');
const { formatOfAddress } = require('internal/esm/formats');
const { invalidArgType } = require('internal/errors/errors');

function defaultResolve(specifier, { parentURL, conditions } = {}) {
  const url = resolve(`${specifier}`, parentURL ?? toUrl(`${process.cwd()}/`),
    conditions ?? require('internal/esm/esm').conditions());
  return { __proto__: null, url, format: formatOfAddress(url) };
}

// The file that the "main" of a package means, in all of its spellings.
function legacyMainResolve(packageUrl, { main }, base) {
  if (!(packageUrl instanceof URL)) throw invalidArgType('packageJSONUrl', 'URL', packageUrl);
  const { fileURLToPath } = require('url');
  try {
    return new URL(toUrl(mainFile(path.dirname(fileURLToPath(packageUrl)), { main }, `${base}`)));
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    if (base === undefined) throw invalidArgType('base', ['string', 'URL'], base);
    fileURLToPath(base);
    throw error;
  }
}

module.exports = { defaultResolve, legacyMainResolve };
