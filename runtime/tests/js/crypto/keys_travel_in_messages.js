'use strict';
const crypto = require('crypto');
const { MessageChannel, Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const keys = require('./parts/keys.js');

if (!isMainThread) {
  const { secret, own, certificate, webKey } = workerData;
  parentPort.postMessage([secret.export().toString('hex'), own.asymmetricKeyType, own.equals(
    crypto.createPrivateKey(keys.ec)), certificate.subject, webKey.usages, webKey.extractable,
  crypto.createHash('sha1').update('in a worker').digest('hex')]);
  parentPort.postMessage(crypto.createPublicKey(own));
  return;
}

const { port1, port2 } = new MessageChannel();
const own = crypto.createPrivateKey(keys.ec);
port2.on('message', (message) => {
  console.log(message.list[0], message.list[0].equals(own), message.map.get('key').export());
  console.log(message.list[0] === message.again);
  port2.close();
  inWorker();
});
port1.postMessage({ list: [own], again: own, map: new Map([['key',
  crypto.createSecretKey('a')]]) });
console.log(structuredClone({ own }).own.equals(own));

async function inWorker() {
  const webKey = await crypto.subtle.importKey('raw', Buffer.alloc(16), 'AES-GCM', false,
    ['encrypt']);
  const worker = new Worker(__filename, { workerData: { own, webKey,
    secret: crypto.createSecretKey('b'), certificate: new crypto.X509Certificate(keys.leaf) } });
  worker.on('message', (message) => console.log(message));
}
