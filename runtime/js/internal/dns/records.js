'use strict';
// Answers of name servers: bytes that anybody may have sent, read with every place checked.

const TYPES = { A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28, SRV: 33,
  NAPTR: 35, ANY: 255, CAA: 257 };

class BadAnswer extends Error {}

// A name has at most 255 bytes; pointers lead backwards only, so that reading one ends.
const LONGEST_NAME = 255;

function letter(byte) {
  if (byte < 33 || byte > 126) return `\\${String(byte).padStart(3, '0')}`;
  const text = String.fromCharCode(byte);
  return '".;\\()@$'.includes(text) ? `\\${text}` : text;
}

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
    this.end = bytes.length;
  }

  need(count) {
    if (this.end - this.at < count) throw new BadAnswer();
    const from = this.at;
    this.at += count;
    return from;
  }

  byte() { return this.bytes[this.need(1)]; }

  short() { return this.bytes.readUInt16BE(this.need(2)); }

  long() { return this.bytes.readUInt32BE(this.need(4)); }

  // A string with its length before it.
  text() { return this.rest(this.byte()); }

  rest(length) {
    const from = this.need(length);
    return this.bytes.latin1Slice(from, from + length);
  }

  name() {
    const labels = [];
    let total = 0;
    let at = this.at;
    let lowest = at;
    let after = -1;
    for (;;) {
      if (at >= this.bytes.length) throw new BadAnswer();
      const size = this.bytes[at];
      if (size === 0) break;
      if (size >= 192) {
        if (at + 1 >= this.bytes.length) throw new BadAnswer();
        if (after < 0) after = at + 2;
        at = ((size & 63) << 8) | this.bytes[at + 1];
        if (at >= lowest) throw new BadAnswer();
        lowest = at;
        continue;
      }
      total += size + 1;
      if (size > 63 || total > LONGEST_NAME || at + 1 + size > this.bytes.length)
        throw new BadAnswer();
      let label = '';
      for (let i = at + 1; i <= at + size; i++) label += letter(this.bytes[i]);
      labels.push(label);
      at += 1 + size;
    }
    this.at = after < 0 ? at + 1 : after;
    if (this.at > this.end) throw new BadAnswer();
    return labels.join('.');
  }
}

function readAAAA(reader) {
  const words = [];
  for (let i = 0; i < 8; i++) words.push(reader.short());
  let start = -1;
  let length = 1; // a single zero is written out
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && words[end] === 0) end++;
    if (end - i > length) [start, length] = [i, end - i];
    if (end > i) i = end;
  }
  const isMapped = start === 0 && (length === 6 || (length === 5 && words[5] === 0xffff));
  const tail = isMapped ? [`${words[6] >> 8}.${words[6] & 255}.${words[7] >> 8}.${words[7] & 255}`]
    : words.slice(6).map((word) => word.toString(16));
  const parts = [...words.slice(0, 6).map((word) => word.toString(16)), ...tail];
  if (start < 0) return parts.join(':');
  return `${parts.slice(0, start).join(':')}::${parts.slice(start + length).join(':')}`;
}

function readTXT(reader) {
  const entries = [];
  while (reader.at < reader.end) entries.push(reader.text());
  return entries;
}

function readCAA(reader) {
  const critical = reader.byte();
  const property = reader.text();
  const value = reader.rest(reader.end - reader.at);
  return { critical, [property]: value };
}

const READERS = {
  A: (reader) => `${reader.byte()}.${reader.byte()}.${reader.byte()}.${reader.byte()}`,
  AAAA: readAAAA,
  CNAME: (reader) => reader.name(),
  NS: (reader) => reader.name(),
  PTR: (reader) => reader.name(),
  TXT: readTXT,
  MX: (reader) => {
    const priority = reader.short();
    return { exchange: reader.name(), priority };
  },
  SRV: (reader) => {
    const [priority, weight, port] = [reader.short(), reader.short(), reader.short()];
    return { name: reader.name(), port, priority, weight };
  },
  NAPTR: (reader) => {
    const [order, preference] = [reader.short(), reader.short()];
    return { flags: reader.text(), service: reader.text(), regexp: reader.text(),
      replacement: reader.name(), order, preference };
  },
  SOA: (reader) => ({ nsname: reader.name(), hostmaster: reader.name(), serial: reader.long(),
    refresh: reader.long(), retry: reader.long(), expire: reader.long(), minttl: reader.long() }),
  CAA: readCAA,
};
const NAMES = new Map(Object.entries(TYPES).map(([name, number]) => [number, name]));

function readRecord(reader) {
  reader.name();
  const type = NAMES.get(reader.short());
  const family = reader.short();
  const ttl = reader.long();
  const end = reader.short() + reader.at;
  if (end > reader.end) throw new BadAnswer();
  if (family !== 1 || READERS[type] === undefined) {
    reader.at = end;
    return undefined;
  }
  const whole = reader.end;
  reader.end = end;
  const value = READERS[type](reader);
  if (reader.at !== end && type !== 'A' && type !== 'AAAA') throw new BadAnswer();
  reader.end = whole;
  reader.at = end;
  return { type, ttl, value };
}

// The records of an answer's first section: [{ type, ttl, value }]; undefined if it is malformed.
function readAnswer(bytes) {
  const reader = new Reader(bytes);
  const records = [];
  try {
    reader.need(4);
    const [questions, answers] = [reader.short(), reader.short()];
    reader.need(4);
    for (let i = 0; i < questions; i++) {
      reader.name();
      reader.need(4);
    }
    for (let i = 0; i < answers; i++) {
      const record = readRecord(reader);
      if (record !== undefined) records.push(record);
    }
  } catch (error) {
    if (error instanceof BadAnswer) return undefined;
    throw error;
  }
  return records;
}

module.exports = { TYPES, readAnswer };
