'use strict';
process.noDeprecation = true;
const os = require('os');

const bare = (object) => Object.getPrototypeOf(object) === null;
console.log([os.constants, ...Object.values(os.constants).filter((one) => typeof one === 'object'),
  require('fs').constants, require('zlib').constants, require('crypto').constants].map(bare));
console.log(Object.keys(os.constants.errno).sort().join(), Object.keys(os.constants.dlopen));
const constants = require('constants');
console.log(Object.isFrozen(constants), constants.RTLD_NOW, constants.ENOENT,
  constants.EXTENSIONLESS_FORMAT_WASM, typeof constants.defaultCipherList);

// What old packages ask process.binding() for.
const util = process.binding('util');
console.log(Object.keys(util).sort().join(), util.isDate === require('util').types.isDate);
console.log(process.binding('uv').errname(-2), process.binding('uv').UV_EOF);
console.log(process.binding('constants').os === os.constants, 'fs' in process.binding('natives'));
for (const name of ['test', 'timers', {}]) {
  try {
    process.binding(name);
  } catch (error) {
    console.log(error.message, error.code);
  }
}

// Characters that names of hosts may have.
for (let code = 33; code < 127; code++) {
  const text = `http://a%${code.toString(16)}b/`;
  if (!URL.canParse(text)) console.log(String.fromCharCode(code));
}

const message = new (require('http').OutgoingMessage)();
message.setHeader('Some-Name', ['a', 'b']);
console.log(message._renderHeaders(), message.outputSize);
message._send('abc');
console.log(message.outputSize);
message._header = 'x';
try {
  message._renderHeaders();
} catch (error) {
  console.log(error.code, error.message);
}

const bytes = Buffer.from('text');
Object.defineProperty(bytes, 'length', { value: 1337 });
try {
  bytes.fill('a');
} catch (error) {
  console.log(error.code, error.message);
}
const { port1 } = new MessageChannel();
console.log(require('util').inspect({ port1, blob: new Blob(['a']) }, { depth: 0 }),
  Object.keys(Blob.prototype).includes('stream'));
