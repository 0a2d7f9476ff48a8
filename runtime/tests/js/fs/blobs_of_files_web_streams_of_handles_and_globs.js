'use strict';
// fs.openAsBlob, readableWebStream of file handles, path.matchesGlob, the state of StringDecoder.
const fs = require('fs');
const path = require('path');
const { StringDecoder } = require('string_decoder');

const failure = (error) => console.log(error.name, error.code, error.message);

async function blobs() {
  fs.writeFileSync('file', 'abcdefghij'.repeat(10000));
  const blob = await fs.openAsBlob('file', { type: 'text/plain' });
  console.log(blob, blob instanceof Blob, (await blob.text()).length);
  const part = blob.slice(5, 25).slice(-10, -2);
  console.log(part.size, await part.text(), new Uint8Array(await part.arrayBuffer()));
  let count = 0;
  for await (const chunk of blob.stream()) count += chunk.length;
  console.log(count, await new Blob(['<', part, '>']).text());
  fs.writeFileSync('file', 'changed');
  await blob.text().catch((error) => console.log(error.name));
  await blob.stream().getReader().read().catch((error) => console.log(error.name));
  for (const [name, options] of [['missing', {}], ['file', 5], ['file', { type: 5 }]]) {
    try {
      fs.openAsBlob(name, options);
    } catch (error) {
      failure(error);
    }
  }
}

async function streams() {
  fs.writeFileSync('file', 'x'.repeat(40000));
  for (const options of [undefined, { type: 'bytes' }]) {
    const handle = await fs.promises.open('file');
    let count = 0;
    const kinds = new Set();
    for await (const chunk of handle.readableWebStream(options)) {
      count += chunk.byteLength;
      kinds.add(chunk.constructor.name);
    }
    console.log(count, kinds);
    try {
      handle.readableWebStream();
    } catch (error) {
      failure(error);
    }
    await handle.close();
    try {
      handle.readableWebStream();
    } catch (error) {
      failure(error);
    }
    const other = await fs.promises.open('file');
    const reader = other.readableWebStream(options).getReader();
    other.close();
    await reader.closed;
    console.log('closed with its handle');
  }
}

function globs() {
  process.on('warning', () => {});
  for (const [name, pattern] of [['a/b', 'a/{b,c}'], ['a/d', 'a/{b,c}'], ['a/.b', 'a/*'],
    ['a/b/c', 'a/**/c'], ['a/c', 'a/**/c'], ['a', '?'], ['ab', 'a?'], ['a/b/', 'a/b'], ['./a', 'a'],
    ['a', 'A'], ['a.js', '*.{js,ts}'], ['a/b', 'a*'], ['/a', '/*'], ['x+y', 'x+y'],
    ['foo', '!(bar)'], ['bar', '!(bar)'], ['foo', '@(foo|bar)'], ['a/b/c', '**'], ['', ''],
    ['a', '**/a'], ['foo/bar1', 'foo/bar[0-9]'], ['foo/bar', 'foo/[!b]ar'],
    ['foo/bar/baz', 'foo/**']]) {
    console.log(name, pattern, path.matchesGlob(name, pattern),
      path.win32.matchesGlob(name.replaceAll('/', '\\'), pattern));
  }
  try {
    path.matchesGlob(1, 'a');
  } catch (error) {
    failure(error);
  }
}

for (const [encoding, bytes] of [['utf8', [0xE1]], ['utf8', [0xF0, 0x9F]], ['utf16le', [0x3D]],
  ['base64', [0x3D]]]) {
  const decoder = new StringDecoder(encoding);
  decoder.write(Buffer.from(bytes));
  console.log(decoder.lastChar, decoder.lastNeed, decoder.lastTotal);
}
globs();
blobs().then(streams);
