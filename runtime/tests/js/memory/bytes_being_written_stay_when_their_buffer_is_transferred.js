// needs: bytes
// Files, sockets, children and compression get the bytes that they were given.
const fs = require('fs');
const net = require('net');
const zlib = require('zlib');
const { spawn } = require('child_process');
const SIZE = 3000000;
// In Node, the memory goes with the last ArrayBuffer that has it.
const kept = [];
const drop = (view) => {
  const moved = structuredClone(view.buffer, { transfer: [view.buffer] });
  if (!process.execPath.endsWith('phasor')) kept.push(moved);
};
const full = (letter) => new Uint8Array(new ArrayBuffer(SIZE)).fill(letter.charCodeAt(0));
// Memory that is let go of too early would be found here.
const scribble = () => {
  for (let i = 0; i < 8; i++) new Uint8Array(SIZE).fill(33);
};
const only = (bytes, letter) => bytes.every((byte) => byte === letter.charCodeAt(0));

async function files() {
  const view = full('a');
  const handle = await fs.promises.open('out', 'w');
  const writing = handle.write(view, 0, SIZE, 0);
  drop(view);
  scribble();
  await writing;
  await handle.close();
  const parts = [full('b'), full('b')];
  const fd = fs.openSync('vector', 'w');
  await new Promise((resolve) => {
    fs.writev(fd, parts, 0, (error, count) => {
      console.log('writev', error, count);
      resolve();
    });
    parts.forEach(drop);
    parts.length = 0;
    scribble();
  });
  fs.closeSync(fd);
  console.log('files', fs.readFileSync('out').length, only(fs.readFileSync('out'), 'a'),
    fs.readFileSync('vector').length, only(fs.readFileSync('vector'), 'b'));
}

function socket() {
  return new Promise((resolve) => {
    const server = net.createServer((peer) => {
      const got = [];
      peer.on('data', (piece) => got.push(piece));
      peer.on('end', () => {
        const all = Buffer.concat(got);
        console.log('socket', all.length, only(all.subarray(0, SIZE), 'c'),
          only(all.subarray(SIZE), 'd'));
        server.close(resolve);
      });
    }).listen(0, () => {
      const client = net.connect(server.address().port, () => {
        const one = full('c');
        client.write(one);
        drop(one);
        const two = full('d');
        client.cork();
        client.write(two.subarray(0, 5));
        client.write(two.subarray(5));
        client.uncork();
        drop(two);
        scribble();
        client.end();
      });
    });
  });
}

function child() {
  return new Promise((resolve) => {
    const cat = spawn('cat');
    const got = [];
    cat.stdout.on('data', (piece) => got.push(piece));
    cat.on('close', () => {
      const all = Buffer.concat(got);
      console.log('child', all.length, only(all, 'e'));
      resolve();
    });
    const view = full('e');
    cat.stdin.end(view);
    drop(view);
    scribble();
  });
}

function compression() {
  return new Promise((resolve) => {
    const view = full('f');
    zlib.deflate(view, (error, bytes) => {
      const all = zlib.inflateSync(bytes);
      console.log('zlib', error, all.length, only(all, 'f'));
      resolve();
    });
    drop(view);
    scribble();
  });
}

(async () => {
  await files();
  await socket();
  await child();
  await compression();
})();
