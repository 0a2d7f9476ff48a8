'use strict';
// toLocaleString and its kin, which the language leaves to Intl.

const { formatDate } = require('internal/intl/date');
const { NumberFormat } = require('internal/intl/number');
const { Collator } = require('internal/intl/text');
const { localeList, defaultLocale, native } = require('internal/intl/service');

// The last one of each kind is kept: programs ask again and again for the same.
const kept = new Map();
function serviceFor(Service, locales, options) {
  if (options !== undefined || (typeof locales !== 'string' && locales !== undefined)) {
    return new Service(locales, options);
  }
  const last = kept.get(Service);
  if (last !== undefined && last.locales === locales) return last.service;
  const service = new Service(locales);
  kept.set(Service, { locales, service });
  return service;
}

function timeOf(date) {
  const time = Date.prototype.getTime.call(date);
  return Number.isNaN(time) ? undefined : time;
}

function dateText(date, locales, options, required, defaults) {
  const time = timeOf(date);
  return time === undefined
    ? 'Invalid Date'
    : formatDate(time, locales, options, required, defaults);
}

function changeCase(text, locales, isUpper) {
  const [first = defaultLocale()] = localeList(locales);
  // Only these three languages differ from what the language does for all.
  if (!/^(?:az|el|lt|tr)\b/.test(first)) return isUpper ? text.toUpperCase() : text.toLowerCase();
  return native.changeCase(text, first, isUpper);
}

// What Date's own texts end with: "Eastern Standard Time".
let zone;
let names;
function zoneName(date) {
  const { DateTimeFormat } = require('internal/intl/date');
  const offset = date.getTimezoneOffset();
  names ??= new Map();
  const key = `${process.env.TZ} ${offset}`;
  if (!names.has(key)) {
    zone = new DateTimeFormat().resolvedOptions();
    const parts = new DateTimeFormat(undefined, {
      timeZone: zone.timeZone,
      timeZoneName: 'long',
    }).formatToParts(date.getTime());
    names.set(key, parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone.timeZone);
  }
  return names.get(key);
}

const { valueOf: numberOf } = Number.prototype;
const { valueOf: bigintOf } = BigInt.prototype;
const { get: lengthOf } = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array).prototype,
  'length',
);

function text(value, name) {
  if (value === undefined || value === null) {
    throw new TypeError(`String.prototype.${name} called on null or undefined`);
  }
  return `${value}`;
}

// Lists that are being told: one that holds itself is empty there.
const told = [];
function list(self, args) {
  if (self === undefined || self === null) {
    throw new TypeError('Cannot convert undefined or null to object');
  }
  if (told.includes(self)) return '';
  told.push(self);
  try {
    const words = [];
    for (let i = 0; i < self.length; i++) {
      const one = self[i];
      words.push(one === undefined || one === null ? '' : `${one.toLocaleString(...args)}`);
    }
    return words.join(',');
  } finally {
    told.pop();
  }
}

// Each gets what it is called on, the engine's own function, and the arguments.
module.exports = {
  number: (self, own, locales, options) =>
    serviceFor(NumberFormat, locales, options).format(numberOf.call(self)),
  bigint: (self, own, locales, options) =>
    serviceFor(NumberFormat, locales, options).format(bigintOf.call(self)),
  list: (self, own, ...args) => list(self, args),
  bytes(self, own, ...args) {
    lengthOf.call(self); // throws for a value that is not a typed array
    return list(self, args);
  },
  // The engine's text ends with the offset, and the name of the zone follows.
  dateText(self, own) {
    const plain = own.call(self);
    return plain === 'Invalid Date' ? plain : `${plain} (${zoneName(self)})`;
  },
  date: (self, own, locales, options) => dateText(self, locales, options, 'any', 'all'),
  day: (self, own, locales, options) => dateText(self, locales, options, 'date', 'date'),
  time: (self, own, locales, options) => dateText(self, locales, options, 'time', 'time'),
  compare(self, own, that, locales, options) {
    const first = text(self, 'localeCompare');
    return serviceFor(Collator, locales, options).compare(first, `${that}`);
  },
  upper: (self, own, locales) => changeCase(text(self, 'toLocaleUpperCase'), locales, true),
  lower: (self, own, locales) => changeCase(text(self, 'toLocaleLowerCase'), locales, false),
};
