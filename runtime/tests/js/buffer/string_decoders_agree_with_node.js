const { StringDecoder } = require('string_decoder');
const bytes = Buffer.from('aä€😀z\u00ff');
for (const encoding of ['utf8', 'utf16le', 'base64', 'hex', 'latin1', 'ascii']) {
    for (const size of [1, 2, 3, 5]) {
        if (encoding === 'utf16le' && size !== 2) continue;
        const decoder = new StringDecoder(encoding);
        const parts = [];
        const source = encoding === 'utf16le' ? Buffer.from('aä€😀z', 'utf16le') : bytes;
        for (let i = 0; i < source.length; i += size)
            parts.push(decoder.write(source.subarray(i, i + size)));
        parts.push(decoder.end());
        console.log(encoding, size, parts);
    }
}
for (const broken of [
    [0xe2, 0x82],
    [0xf0, 0x9f],
    [0xff, 0x61],
    [0xe2, 0x61],
    [0xc3],
    [0xed, 0xa0, 0x80],
]) {
    const decoder = new StringDecoder();
    console.log(
        JSON.stringify([
            decoder.write(Buffer.from(broken)),
            decoder.end(),
            decoder.end(Buffer.from('x')),
        ]),
    );
}
console.log(new StringDecoder('UTF-8').encoding, new StringDecoder('ucs-2').encoding);
try {
    new StringDecoder('no');
} catch (error) {
    console.log(error.code, error.message);
}
try {
    new StringDecoder().write(5);
} catch (error) {
    console.log(error.code, error.message);
}
