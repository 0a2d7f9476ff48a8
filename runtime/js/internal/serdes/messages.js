'use strict';
// Messages between processes with the advanced serialization, in Node's form: each behind its
// length; before what is no value of the language stands whether it is a view.

const { DefaultSerializer, DefaultDeserializer, writeWith, readWith } =
  require('internal/serdes/classes');

const native = binding('clones');
const NOT_PLAIN = Symbol('not plain');
const VIEW = 0;
const PROPERTIES = 1;

class MessageSerializer extends DefaultSerializer {
  _writeHostObject(object) {
    if (ArrayBuffer.isView(object)) {
      this.writeUint32(VIEW);
      return super._writeHostObject(object);
    }
    this.writeUint32(PROPERTIES);
    return this.writeValue({ ...object });
  }
}

class MessageDeserializer extends DefaultDeserializer {
  _readHostObject() {
    return this.readUint32() === VIEW ? super._readHostObject() : this.readValue();
  }
}

function write(message) {
  const made = native.serializeMessage(message);
  if (made !== undefined) return made;
  const body = writeWith(new MessageSerializer(), message);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
}

// Without the length.
function read(bytes) {
  const message = native.deserializeMessage(bytes, NOT_PLAIN);
  return message === NOT_PLAIN ? readWith(new MessageDeserializer(bytes)) : message;
}

module.exports = { write, read };
