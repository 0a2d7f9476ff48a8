'use strict';
const { withCode, invalidArgType } = require('internal/errors/errors');
const { validateObject } = require('internal/errors/validators');
const { h2Error } = require('internal/http2/errors');

const U32 = 2 ** 32 - 1;
// id, name, lowest and highest value
const SETTINGS = [
  [1, 'headerTableSize', 0, U32], [2, 'enablePush'], [3, 'maxConcurrentStreams', 0, U32],
  [4, 'initialWindowSize', 0, 2 ** 31 - 1], [5, 'maxFrameSize', 16384, 2 ** 24 - 1],
  [6, 'maxHeaderListSize', 0, U32], [8, 'enableConnectProtocol'],
];
const CUSTOM_MOST = 10;

function invalid(Base, name, value, min, max) {
  const error = withCode(Base, 'ERR_HTTP2_INVALID_SETTING_VALUE',
    `Invalid value for setting "${name}": ${value}`);
  error.actual = value;
  if (min !== undefined) {
    error.min = min;
    error.max = max;
  }
  return error;
}

function check(settings) {
  if (settings === undefined) return;
  for (const [, name, min, max] of SETTINGS) {
    const value = settings[name];
    if (value === undefined) continue;
    if (min === undefined) {
      if (typeof value !== 'boolean') throw invalid(TypeError, name, value);
    } else if (typeof value !== 'number' || !(value >= min && value <= max)) {
      throw invalid(RangeError, name, value, min, max);
    }
  }
  const { maxHeaderSize } = settings;
  if (maxHeaderSize !== undefined && !(maxHeaderSize >= 0 && maxHeaderSize <= U32)) {
    throw invalid(RangeError, 'maxHeaderSize', maxHeaderSize, 0, U32);
  }
  checkCustom(settings.customSettings);
}

function checkCustom(custom) {
  if (custom === undefined) return;
  const entries = Object.entries(custom);
  if (entries.length > CUSTOM_MOST) {
    throw withCode(Error, 'ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS',
      'Number of custom settings exceeds MAX_ADDITIONAL_SETTINGS');
  }
  for (const [key, value] of entries) {
    if (!(key >= 0 && key <= 65535)) {
      throw invalid(RangeError, 'customSettings:id', Number(key), 0, 65535);
    }
    if (typeof value !== 'number' || !(value >= 0 && value <= U32)) {
      throw invalid(RangeError, 'customSettings:value', value, 0, U32);
    }
  }
}

// [id, value, ...] as nghttp2 takes them
function toList(settings) {
  const list = [];
  for (const [id, name, min] of SETTINGS) {
    let value = settings[name];
    if (name === 'maxHeaderListSize') value = settings.maxHeaderSize ?? value;
    if (value !== undefined) list.push(id, min === undefined ? Number(value) : value);
  }
  for (const [id, value] of Object.entries(settings.customSettings ?? {})) {
    list.push(Number(id), value);
  }
  return list;
}

// The values of settings 1 to 6 and 8
function fromValues(values, custom) {
  const more = Object.keys(custom).length > 0 ? { customSettings: { ...custom } } : undefined;
  return {
    headerTableSize: values[0], enablePush: Boolean(values[1]), initialWindowSize: values[3],
    maxFrameSize: values[4], maxConcurrentStreams: values[2], maxHeaderListSize: values[5],
    maxHeaderSize: values[5], enableConnectProtocol: Boolean(values[6]), ...more,
  };
}

// Those of [id, value, ...] that somebody wants to know
function takeCustom(known, list, wanted = []) {
  for (let i = 0; i < list.length; i += 2) {
    if (wanted.includes(list[i])) known[list[i]] = list[i + 1];
  }
}

function getDefaultSettings() {
  return { __proto__: null, headerTableSize: 4096, enablePush: true, initialWindowSize: 65535,
    maxFrameSize: 16384, maxConcurrentStreams: U32, maxHeaderSize: 65535,
    maxHeaderListSize: 65535, enableConnectProtocol: false };
}

function getPackedSettings(settings) {
  if (settings !== undefined) validateObject(settings, 'settings');
  check(settings);
  const list = settings === undefined ? [] : toList(settings);
  const packed = Buffer.alloc(list.length * 3);
  for (let i = 0; i < list.length; i += 2) {
    packed.writeUInt16BE(list[i], i * 3);
    packed.writeUInt32BE(list[i + 1], i * 3 + 2);
  }
  return packed;
}

function getUnpackedSettings(bytes, options = {}) {
  if (!ArrayBuffer.isView(bytes) || bytes.length === undefined) {
    throw invalidArgType('buf', ['Buffer', 'TypedArray'], bytes);
  }
  if (bytes.length % 6 !== 0) throw h2Error('INVALID_PACKED_SETTINGS_LENGTH');
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const settings = {};
  for (let at = 0; at + 6 <= view.length; at += 6) {
    const id = view.readUInt16BE(at);
    const value = view.readUInt32BE(at + 2);
    const known = SETTINGS.find(([one]) => one === id);
    if (known === undefined) {
      (settings.customSettings ??= {})[id] = value;
    } else if (known[2] === undefined) {
      settings[known[1]] = value !== 0;
    } else {
      settings[known[1]] = value;
      if (id === 6) settings.maxHeaderSize = value;
    }
  }
  if (options.validate) check(settings);
  return settings;
}

module.exports = { check, toList, fromValues, takeCustom, getDefaultSettings, getPackedSettings,
  getUnpackedSettings };
