'use strict';
// A name server on loopback: answers what its table says, over datagrams and TCP.
const dgram = require('dgram');
const net = require('net');

const TYPES = { A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28, SRV: 33,
  NAPTR: 35, ANY: 255, CAA: 257 };

const short = (...values) => Buffer.concat(values.map((value) =>
  Buffer.from([value >> 8, value & 255])));
const long = (...values) => Buffer.concat(values.map((value) => {
  const four = Buffer.alloc(4);
  four.writeUInt32BE(value);
  return four;
}));
const text = (value) => {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
};
const name = (value) => Buffer.concat([...value.split('.').filter(Boolean).map(text),
  Buffer.from([0])]);

const DATA = {
  A: (value) => Buffer.from(value.split('.').map(Number)),
  AAAA: (value) => Buffer.from(value, 'hex'),
  CNAME: name, NS: name, PTR: name,
  MX: ([priority, host]) => Buffer.concat([short(priority), name(host)]),
  TXT: (parts) => Buffer.concat(parts.map(text)),
  SRV: ([priority, weight, port, host]) =>
    Buffer.concat([short(priority, weight, port), name(host)]),
  NAPTR: ([order, preference, flags, service, regexp, host]) => Buffer.concat(
    [short(order, preference), text(flags), text(service), text(regexp), name(host)]),
  SOA: ([nsname, hostmaster, ...numbers]) =>
    Buffer.concat([name(nsname), name(hostmaster), long(...numbers)]),
  CAA: ([flags, tag, value]) => Buffer.concat([Buffer.from([flags]), text(tag),
    Buffer.from(value)]),
};

// { type, data, ttl }: the owner is the question's name, by a pointer.
function record({ type, data, ttl = 60 }) {
  const bytes = Buffer.isBuffer(data) ? data : DATA[type](data);
  return Buffer.concat([Buffer.from([0xc0, 12]), short(TYPES[type], 1), long(ttl),
    short(bytes.length), bytes]);
}

function parseQuestion(query) {
  const labels = [];
  let at = 12;
  while (query[at] !== 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]));
    at += query[at] + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1),
    question: query.subarray(12, at + 5) };
}

// rcode, truncated, count: the number of answers that the head tells.
function answer(query, records, { rcode = 0, truncated = false, count = records.length } = {}) {
  const { question } = parseQuestion(query);
  const flags = 0x8180 | (truncated ? 0x200 : 0) | rcode;
  return Buffer.concat([query.subarray(0, 2), short(flags, 1, count, 0, 0), question,
    ...records.map(record)]);
}

// reply(query, { name, type }, isTcp): bytes, or nothing to stay silent.
// started({ address, close }) when both listen, on the same port.
function start(reply, started) {
  const tcp = net.createServer((socket) => {
    let bytes = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      while (bytes.length >= 2 && bytes.length >= 2 + bytes.readUInt16BE(0)) {
        const query = bytes.subarray(2, 2 + bytes.readUInt16BE(0));
        bytes = bytes.subarray(2 + query.length);
        const back = reply(query, parseQuestion(query), true);
        if (back) socket.write(Buffer.concat([short(back.length), back]));
      }
    });
  });
  tcp.listen(0, '127.0.0.1', () => {
    const { port } = tcp.address();
    const udp = dgram.createSocket('udp4');
    udp.on('message', (query, from) => {
      const back = reply(query, parseQuestion(query), false);
      if (back) udp.send(back, from.port, from.address);
    });
    udp.on('error', () => tcp.close(() => start(reply, started))); // the port is someone else's
    udp.bind(port, '127.0.0.1', () => {
      const close = () => {
        udp.close();
        tcp.close();
      };
      started({ address: `127.0.0.1:${port}`, close });
    });
  });
}

module.exports = { TYPES, answer, name, short, long, start };
