'use strict';
// Messages between processes with the advanced serialization, in Node's form: before what is no
// value of the language stands whether it is a view.

const { DefaultSerializer, DefaultDeserializer, writeWith, readWith } =
  require('internal/serdes/classes');

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

function write(message) { return writeWith(new MessageSerializer(), message); }

function read(bytes) { return readWith(new MessageDeserializer(bytes)); }

module.exports = { write, read };
