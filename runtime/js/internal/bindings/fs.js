'use strict';
// Node's binding fs. A readdir that is put in place of this one is called by the module fs.

const native = binding('fs');
const { wantsBytes } = require('internal/fs/util');

const { scandir } = native;

function call(name, req, ...args) {
  if (req === undefined) return native[name](...args, undefined);
  return native[name](...args, (error, value) => req.oncomplete(error, value));
}

const own = {
  readdir(path, encoding, withTypes, req) {
    const asBytes = wantsBytes(encoding);
    const pick = (found) => (withTypes ? found : found[0]);
    if (req === undefined) return pick(scandir(path, undefined, asBytes));
    return scandir(path, (error, found) => {
      if (error) req.oncomplete(error);
      else req.oncomplete(null, pick(found));
    }, asBytes);
  },
  openFileHandle(path, flags, mode) {
    const { FileHandle } = require('fs/promises');
    return new FileHandle(native.open(path, flags, mode, undefined));
  },
  open: (path, flags, mode, req) => call('open', req, path, flags, mode),
  close: (fd, req) => call('close', req, fd),
  stat: (path, isBig, req) => call('stat', req, path),
  lstat: (path, isBig, req) => call('lstat', req, path),
  fstat: (fd, isBig, req) => call('fstat', req, fd),
  // [text, whether it may say something about modules]; nothing if there is no such file.
  internalModuleReadJSON(path) {
    try {
      const text = require('fs').readFileSync(path, 'utf8').replace(/^\ufeff/, '');
      return [text, /"(main|name|type|exports|imports)"/.test(text)];
    } catch {
      return [];
    }
  },
};

module.exports = { ...own };

native.scandir = (path, done, asBytes) => {
  const { readdir } = module.exports;
  if (readdir === own.readdir) return scandir(path, done, asBytes);
  return readdir(path, asBytes ? 'buffer' : 'utf8', true, done && { oncomplete: done });
};
