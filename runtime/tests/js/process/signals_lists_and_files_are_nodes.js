'use strict';
// Signals and lists of addresses that travel, files, names and arguments.
const assert = require('assert');
const net = require('net');
const util = require('util');
const vm = require('vm');
const punycode = require('punycode');
const dc = require('diagnostics_channel');
const { File } = require('buffer');

function tried(work) {
  try {
    return work();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message.split('\n')[0]}`;
  }
}

// Signals
const root = new AbortController();
const first = AbortSignal.any([root.signal]);
const second = AbortSignal.any([root.signal]);
const inner = AbortSignal.any([first]);
const order = [];
[inner, second, first].forEach((one, i) => one.addEventListener('abort', () => order.push(i)));
root.abort('enough');
console.log(order, inner.reason);
console.log(tried(() => util.transferableAbortSignal({})));

// What travels
const list = new net.BlockList();
list.addAddress('123.123.123.123');
console.log(util.inspect(list, { depth: -1 }));
const controller = util.transferableAbortController();
const { port1, port2 } = new MessageChannel();
port1.onmessage = ({ data }) => {
  if (data.list) {
    console.log(data.list.check('123.123.123.123'), data.list.rules, data.list !== list);
    console.log(data.address.address, data.address.port, data.address.family);
  } else {
    console.log(data.signal instanceof AbortSignal, data.signal.aborted);
    data.signal.onabort = () => {
      console.log('aborted there:', data.signal.reason);
      port1.close();
      connectFrom();
    };
    controller.abort('reason');
  }
};
port2.postMessage({ list, address: new net.SocketAddress({ address: '1.2.3.4', port: 5 }) });
port2.postMessage({ signal: controller.signal }, [controller.signal]);

// Files
const file = new File(['abc'], 'name.txt', { type: 'text/plain', lastModified: 5.5 });
console.log(file, file.name, file.lastModified, Object.keys(File.prototype), File.length);
console.log(tried(() => new File([])));
assert.throws(() => File.prototype.name, TypeError);
console.log(new File([], '', { lastModified: 'text' }).lastModified);

// Arguments, names, channels
console.log(tried(() => atob()), tried(() => btoa()));
console.log(util.parseArgs({ args: ['--no-color', '-x'], strict: false, allowNegative: true }));
console.log(punycode.toASCII('jörg@mañana.com'), tried(() => punycode.decode('α-')));
console.log(tried(() => dc.tracingChannel({ start: '' })), tried(() => dc.tracingChannel({})));
assert.ok(vm.runInNewContext('({}).__proto__') !== undefined);

// An address of its own in the error of a connection.
function connectFrom() {
  const servers = [net.createServer(), net.createServer()];
  servers[0].listen(0, '127.0.0.1', () => servers[1].listen(0, '127.0.0.1', () => {
    const [port, localPort] = servers.map((one) => one.address().port);
    servers[0].close(() => servers[1].close(() => {
      net.connect({ port, host: '127.0.0.1', localPort })
        .on('error', (error) => console.log(error.code, error.localAddress,
          error.message.endsWith(` - Local (0.0.0.0:${localPort})`)));
    }));
  }));
}
