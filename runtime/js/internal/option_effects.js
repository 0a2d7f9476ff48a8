'use strict';
// What options do to the program that is about to start, and the values that they refuse.

const CHOICES = {
  'unhandled-rejections': ['none', 'warn', 'strict', 'throw', 'warn-with-error-code'],
  'input-type': ['module', 'commonjs'],
  'dns-result-order': ['verbatim', 'ipv4first', 'ipv6first'],
  'disable-proto': ['delete', 'throw'],
};
const WORDS = {
  'input-type': '--input-type must be "module" or "commonjs"',
  'disable-proto': 'invalid mode passed to --disable-proto',
};

function loadFiles(options, fail) {
  const { load } = require('internal/dotenv');
  for (const file of options.all('env-file')) {
    try {
      load(file);
    } catch {
      fail(`${file}: not found`);
    }
  }
  for (const file of options.all('env-file-if-exists')) {
    try {
      load(file);
    } catch {
      // It need not be there.
    }
  }
}

function disableProto(how) {
  if (how === 'delete') {
    delete Object.prototype.__proto__;
    return;
  }
  const refuse = () => {
    throw require('internal/errors').withCode(Error, 'ERR_PROTO_ACCESS',
      'Accessing Object.prototype.__proto__ has been disallowed with --disable-proto=throw');
  };
  Object.defineProperty(Object.prototype, '__proto__',
    { get: refuse, set: refuse, configurable: true, enumerable: false });
}

function apply(options, fail) {
  for (const [name, allowed] of Object.entries(CHOICES)) {
    const value = options.last(name);
    if (value !== undefined && !allowed.includes(value)) {
      fail(WORDS[name] ?? `invalid value for --${name}`);
    }
  }
  if (options.isOn('expose-internals')) {
    require('internal/builtins').exposed = (id) => require('internal/exposed').find(id);
  }
  loadFiles(options, fail);
  if (options.last('disable-proto')) disableProto(options.last('disable-proto'));
}

module.exports = { apply };
