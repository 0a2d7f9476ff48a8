'use strict';
// Node's name internal/options.

const options = require('internal/boot/options');

// Switches that are on unless they are turned off.
const DEFAULTS = ['warnings', 'deprecation', 'addons', 'global-search-paths',
  'experimental-fetch', 'experimental-global-customevent', 'experimental-global-webcrypto',
  'experimental-repl-await', 'network-family-autoselection', 'verify-base-objects'];

function getOptionValue(name) {
  const isNegated = name.startsWith('--no-');
  const key = name.replace(isNegated ? /^--no-/ : /^--/, '');
  if (options.isSwitch(key)) {
    const isAsked = key === 'pending-deprecation' && process.env.NODE_PENDING_DEPRECATION === '1';
    const isOn = options.isOn(key) ?? (isAsked || DEFAULTS.includes(key));
    return isNegated ? !isOn : isOn;
  }
  return options.last(key);
}

module.exports = { getOptionValue };
