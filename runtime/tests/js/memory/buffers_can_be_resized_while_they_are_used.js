// needs: bytes
// compare: stdout
// The memory of a resizable buffer stays in its place; what is beyond its end is nobody's.
const fs = require('fs');
const zlib = require('zlib');
const crypto = require('crypto');
fs.writeFileSync('file', Buffer.alloc(100000, 'x'));
const fd = fs.openSync('file', 'r+');
const made = (size, most) => new ArrayBuffer(size, { maxByteLength: most });

// Growing does not lose what arrives meanwhile.
const growing = made(50000, 1000000);
fs.read(fd, new Uint8Array(growing), 0, 50000, 0, (error, count) => {
  console.log('grown', error, count, growing.byteLength,
    new Uint8Array(growing, 0, 50000).every((byte) => byte === 120));
  views();
});
growing.resize(1000000);

function views() {
  // A view whose bytes are gone has none, one that follows has what is left.
  const buffer = made(64, 64);
  const fixed = new Uint8Array(buffer, 32, 16);
  const following = new Uint8Array(buffer, 8);
  const data = new DataView(buffer, 32, 16);
  new Uint8Array(buffer).fill(65);
  buffer.resize(16);
  console.log(fs.writeSync(fd, following, 0, 8, 0), fs.readFileSync('file', 'latin1').slice(0, 10));
  console.log(fs.writevSync(fd, [following, fixed], 0), fs.readvSync(fd, [fixed], 0));
  console.log(crypto.createHash('sha1').update(following).update(fixed).digest('hex'));
  console.log(Buffer.from(following).toString(),
    Buffer.compare(following, fixed));
  buffer.resize(64);
  console.log(fixed.length, fixed[0], following.length, data.byteLength);
  shrinking();
}

function shrinking() {
  const buffer = made(100000, 100000);
  // How many bytes arrive in memory that is given back meanwhile is the system's to say.
  fs.read(fd, new Uint8Array(buffer), 0, 100000, 0, () => {
    console.log('shrunk', buffer.byteLength);
    const other = made(1000, 1000);
    zlib.deflate(new Uint8Array(other), (error) => {
      console.log('deflated', error);
      fs.closeSync(fd);
    });
    // Node's pool thread finds no memory there.
    if (process.execPath.endsWith('phasor')) other.resize(0);
  });
  buffer.resize(0);
}
