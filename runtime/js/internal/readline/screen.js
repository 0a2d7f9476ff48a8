'use strict';
// Places on a terminal, and the sequences that move its cursor.

const { invalidArgValue, withCode } = require('internal/errors/errors');
const { validateFunction } = require('internal/errors/validators');
const { width } = require('internal/inspect/text');

const CSI = '\u001b[';
const sequences = {
  up: (n) => `${CSI}${n}A`, down: (n) => `${CSI}${n}B`, right: (n) => `${CSI}${n}C`,
  left: (n) => `${CSI}${n}D`,
  clearBefore: `${CSI}1K`, clearAfter: `${CSI}0K`, clearLine: `${CSI}2K`, clearDown: `${CSI}0J`,
};

function place(x, y) {
  return typeof y === 'number' ? `${CSI}${y + 1};${x + 1}H` : `${CSI}${x + 1}G`;
}

function distance(dx, dy) {
  let text = '';
  if (dx < 0) text += sequences.left(-dx);
  else if (dx > 0) text += sequences.right(dx);
  if (dy < 0) text += sequences.up(-dy);
  else if (dy > 0) text += sequences.down(dy);
  return text;
}

function lineEraser(direction) {
  return direction < 0 ? sequences.clearBefore
    : direction > 0 ? sequences.clearAfter : sequences.clearLine;
}

function checkPlace(x, y) {
  if (Number.isNaN(x)) throw invalidArgValue('x', x);
  if (Number.isNaN(y)) throw invalidArgValue('y', y);
  if (typeof x !== 'number' && typeof y === 'number') {
    throw withCode(TypeError, 'ERR_INVALID_CURSOR_POS',
      'Cannot set cursor row without setting its column');
  }
}

function put(stream, text, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (stream === null || stream === undefined || text === '') {
    if (typeof callback === 'function') process.nextTick(callback, null);
    return true;
  }
  return stream.write(text, callback);
}

function cursorTo(stream, x, y, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (typeof y === 'function') {
    callback = y;
    y = undefined;
  }
  checkPlace(x, y);
  if (typeof x !== 'number') return put(undefined, '', callback);
  return put(stream, place(x, y), callback);
}

function moveCursor(stream, dx, dy, callback) {
  return put(stream, distance(dx, dy), callback);
}

function clearLine(stream, direction, callback) {
  return put(stream, lineEraser(direction), callback);
}

function clearScreenDown(stream, callback) {
  return put(stream, sequences.clearDown, callback);
}

// The place after some text on a terminal of so many columns.
function placeAfter(text, columns, tabSize) {
  let offset = 0;
  let rows = 0;
  for (const character of require('util').stripVTControlCharacters(text)) {
    if (character === '\n') {
      rows += Math.ceil(offset / columns) || 1;
      offset = 0;
    } else if (character === '\t') {
      offset += tabSize - offset % tabSize;
    } else {
      const wide = width(character);
      if (wide === 2 && (offset + 1) % columns === 0) offset++; // it does not fit into the row
      offset += wide;
    }
  }
  const cols = offset % columns;
  return { cols, rows: rows + (offset - cols) / columns };
}

module.exports = {
  sequences, place, distance, lineEraser, checkPlace, cursorTo, moveCursor, clearLine,
  clearScreenDown, placeAfter,
};
