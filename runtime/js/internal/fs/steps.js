'use strict';
// fs.readFile in Node's four requests, for those who count them: open, fstat, read, close.

const native = binding('fs');
const { withCode } = require('internal/errors/errors');

const LONGEST = 2 ** 31 - 1;
const PIECE = 65536;
const SIZE = 8; // its place in what fstat gives

function readFile(path, flags, callback) {
  native.open(path, flags, 0o666, (failure, fd) => {
    if (failure) {
      callback(failure);
      return;
    }
    const end = (error, data) => native.close(fd, (late) => {
      if (error || late) callback(error || late);
      else callback(null, data);
    });
    native.fstat(fd, (error, stat) => {
      const size = stat?.[SIZE];
      if (error) end(error);
      else if (size > LONGEST) end(tooLarge(size));
      else readRest(fd, size, [], 0, end);
    });
  });
}

function tooLarge(size) {
  return withCode(RangeError, 'ERR_FS_FILE_TOO_LARGE',
    `File size (${size}) is greater than 2 GiB`);
}

// Files that say they are empty are read until they end.
function readRest(fd, size, pieces, total, end) {
  const piece = Buffer.allocUnsafeSlow(size > total ? size - total : PIECE);
  native.read(fd, piece, 0, piece.length, -1, (error, count) => {
    if (error) {
      end(error);
      return;
    }
    pieces.push(piece.subarray(0, count));
    total += count;
    if (count === 0 || (size > 0 && total >= size)) end(null, Buffer.concat(pieces, total));
    else readRest(fd, size, pieces, total, end);
  });
}

module.exports = { readFile };
