const dgram = require('dgram');
const a = dgram.createSocket('udp4');
const b = dgram.createSocket({ type: 'udp4', reuseAddr: true });
b.on('message', (message, from) => {
    console.log('b got', String(message), from.address, from.family, from.size);
    if (String(message) === 'end') {
        a.disconnect();
        console.log('disconnected');
        a.close();
        b.close();
    } else b.send(`re: ${message}`, from.port, from.address);
});
let step = 0;
a.on('message', message => {
    console.log('a got', String(message));
    if (++step === 1)
        a.send([Buffer.from('two'), ' ', Buffer.from('parts')], b.address().port, '127.0.0.1');
    else if (step === 2)
        a.send('xxthreexx', 2, 5, b.address().port, '127.0.0.1', (error, bytes) =>
            console.log('sent', error, bytes),
        );
    else
        a.connect(b.address().port, '127.0.0.1', () => {
            console.log(a.remoteAddress().address);
            a.send('end');
        });
});
a.on('close', () => console.log('a closed'));
b.on('close', () => console.log('b closed'));
b.bind(0, '127.0.0.1', () => {
    console.log(
        b.address().address,
        b.address().family,
        b.getSendBufferSize() > 0,
        b.getRecvBufferSize() > 0,
    );
    b.setBroadcast(true);
    b.setTTL(64);
    b.setMulticastTTL(1);
    a.send('one', b.address().port, '127.0.0.1');
});
for (const bad of [
    () => dgram.createSocket('no'),
    () => dgram.createSocket('udp4').close().address(),
    () => a.send('x', 0, '127.0.0.1'),
    () => a.send(5, 1),
    () => a.remoteAddress(),
]) {
    try {
        bad();
    } catch (error) {
        console.log(error.code, error.message);
    }
}
