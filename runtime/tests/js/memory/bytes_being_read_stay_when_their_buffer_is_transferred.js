// needs: bytes
// What a read under way writes to is the memory that it was given, wherever that belongs by then.
const fs = require('fs');
const SIZE = 65536;
fs.writeFileSync('file', Buffer.alloc(SIZE, 'f'));
const fd = fs.openSync('file', 'r');
const move = (buffer) => structuredClone(buffer, { transfer: [buffer] });

function read(keeps, done) {
  const view = new Uint8Array(new ArrayBuffer(SIZE));
  fs.read(fd, view, 0, SIZE, 0, (error, count) => done(error, count, view, moved));
  let moved = move(view.buffer);
  if (!keeps) moved = undefined;
}

let left = 40;
const others = [];
function next() {
  if (left-- === 0) {
    console.log('strangers', others.some((one) => one.some((byte) => byte !== 0)));
    vector();
    return;
  }
  const keeps = left % 2 === 0;
  read(keeps, (error, count, view, moved) => {
    if (left === 38 || left === 39) {
      const isAll = keeps && new Uint8Array(moved).every((byte) => byte === 102);
      console.log(error, count, view.length, isAll);
    }
    next();
  });
  for (let i = 0; i < 5; i++) others.push(new Uint8Array(SIZE));
}

function vector() {
  const parts = [new Uint8Array(100), new Uint8Array(200)];
  const list = [...parts];
  fs.readv(fd, list, 0, (error, count) => {
    console.log('readv', error, count, parts.map((one) => one.length), kept[0].byteLength,
      kept.map((one) => new Uint8Array(one)[99]));
    promise();
  });
  const kept = parts.map((one) => move(one.buffer));
  list.length = 0;
}

async function promise() {
  const handle = await fs.promises.open('file');
  const view = new Uint8Array(50);
  const reading = handle.read(view, 0, 50, 0);
  const moved = new Uint8Array(move(view.buffer));
  const { bytesRead } = await reading;
  console.log('promise', bytesRead, view.length, moved[49]);
  await handle.close();
  fs.closeSync(fd);
}
next();
