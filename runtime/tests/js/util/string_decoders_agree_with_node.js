'use strict';
// Characters in parts: what each write gives, what is told of the rest, and who may be asked.

const { StringDecoder } = require('string_decoder');

const INTERESTING = [0x41, 0x80, 0xBF, 0xC0, 0xC2, 0xD8, 0xDC, 0xE0, 0xE2, 0xED, 0xF0, 0xF4, 0xF5,
  0xF8, 0xFF, 0x9F, 0xA0, 0x82, 0xAC, 0x98];
const ENCODINGS = ['utf8', 'utf16le', 'base64', 'base64url', 'hex', 'latin1'];
let seed = 20;

function random(below) {
  seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF;
  return (seed >> 8) % below;
}

function line() {
  const encoding = ENCODINGS[random(ENCODINGS.length)];
  const decoder = new StringDecoder(encoding);
  const told = () => `${decoder.lastNeed}${decoder.lastTotal}`;
  let text = encoding;
  for (let parts = 1 + random(6); parts > 0; parts--) {
    const bytes = Buffer.from(Array.from({ length: random(6) },
      () => INTERESTING[random(INTERESTING.length)]));
    text += ` ${bytes.toString('hex')}:${JSON.stringify(decoder.write(bytes))}${told()}`;
  }
  return `${text} ${JSON.stringify(decoder.end())}${told()}${decoder.lastChar.toString('hex')}`;
}

const { createHash } = require('crypto');
for (let i = 0; i < 20; i++) {
  const lines = Array.from({ length: 200 }, line);
  console.log(lines[0]);
  console.log(createHash('sha1').update(lines.join('\n')).digest('hex'));
}

for (const work of [
  () => StringDecoder.prototype.write(Buffer.from('abc')),
  () => StringDecoder.prototype.end.call({}),
  () => StringDecoder.prototype.lastNeed,
  () => new StringDecoder('utf8').write(null),
  () => new StringDecoder('utf8').end(),
]) {
  try {
    console.log(JSON.stringify(work()));
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
