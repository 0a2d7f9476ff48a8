#!/usr/bin/env bash
# A write of which a part was taken leaves less room than is told of: the writer hears when the
# reader has made more.
. sim/tests/world.bash
needs_runtime

cat >writer.js <<'CODE'
const net = require('net');
const size = 8 << 20;
const server = net.createServer((socket) => {
  let received = 0;
  socket.on('data', (chunk) => { received += chunk.length; });
  socket.on('end', () => { console.log('received', received === size); server.close(); });
});
server.listen(0, '127.0.0.1', () => {
  net.connect(server.address().port, '127.0.0.1').end(Buffer.alloc(size));
});
CODE
for seed in $(seq 20); do
    for call in 1 2 3; do
        sim --seed "$seed" --unkind cost:0.24,tail:0.14 --fault "send_short@$call=SHORT" \
            writer.js >out 2>err || true
        grep -qx 'received true' out || fail "seed $seed, short write $call: $(cat out err)"
    done
done
