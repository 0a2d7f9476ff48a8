// TextDecoder: encodings of the web, pieces, marks, what is wrong; TextEncoder's checks.
const { inspect } = require('util');
const attempt = (work) => {
  try {
    return JSON.stringify(work());
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};
const bytes = Uint8Array.of(0x82, 0xa0, 0xc4, 0xe3, 0x41, 0xff);
for (const encoding of ['shift_jis', 'gbk', 'big5', 'euc-kr', 'euc-jp', 'iso-2022-jp', 'cp1251',
  'koi8-r', 'utf-16be', 'utf-16', 'logical', 'x-mac-cyrillic', 'gb18030', 'latin1', 'ibm866',
  'iso-8859-16', ' \tUTF8\n', '\u00a0utf8', 'utf-8']) {
  console.log(encoding, attempt(() => new TextDecoder(encoding).encoding),
    attempt(() => new TextDecoder(encoding).decode(bytes)),
    attempt(() => new TextDecoder(encoding, { fatal: true }).decode(bytes)));
}

function inPieces(encoding, all, options) {
  const decoder = new TextDecoder(encoding, options);
  const parts = all.map((byte) => decoder.decode(Uint8Array.of(byte), { stream: true }));
  return [...parts, decoder.decode()];
}
const text = [...Buffer.from('\ufeffé€😀\ufeff')];
console.log(attempt(() => inPieces('utf-8', text)));
console.log(attempt(() => inPieces('utf-8', text, { ignoreBOM: true, fatal: true })));
console.log(attempt(() => inPieces('utf-16le', [0xff, 0xfe, 0x3d, 0xd8, 0, 0xde, 0x41, 0])));
console.log(attempt(() => inPieces('shift_jis', [0x82, 0xa0, 0x82])));
for (const wrong of [[0xe2, 0x82], [0xe0, 0x80], [0xed, 0xa0], [0xf5], [0xf0, 0x9f, 0x98, 0x41]]) {
  console.log(attempt(() => inPieces('utf-8', wrong)),
    attempt(() => inPieces('utf-8', wrong, { fatal: true })));
}
const decoder = new TextDecoder('utf-8', { fatal: true });
console.log(attempt(() => decoder.decode(Uint8Array.of(255))),
  attempt(() => decoder.decode(Uint8Array.of(65))));
for (const work of [() => new TextDecoder('utf-8', 1), () => new TextDecoder('x'),
  () => TextDecoder.prototype.decode.call({}), () => TextEncoder.prototype.encode.call({}),
  () => new TextEncoder().encodeInto(1, 1), () => new TextEncoder().encodeInto('1', 1),
  () => new TextEncoder().encodeInto('a€', new Uint8Array(3))]) console.log(attempt(work));
console.log(new TextDecoder(), new TextEncoder(), inspect({ a: new TextDecoder() }, { depth: 0 }));
