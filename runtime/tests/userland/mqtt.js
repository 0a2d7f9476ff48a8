// mqtt against mosquitto, plain and with client certificates: qualities, retained, wills
// needs: mosquitto
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const mqtt = require('mqtt');

const read = (name) => fs.readFileSync(path.join(process.env.KEYS, name), 'utf8');
const certificates = { ca: read('ca.pem'), cert: read('client.pem'), key: read('client.key') };
const plain = `mqtt://127.0.0.1:${process.env.MQTT_PORT}`;
const secure = `mqtts://127.0.0.1:${process.env.MQTTS_PORT}`;

function messages(client, count) {
  return new Promise((resolve) => {
    const all = [];
    client.on('message', (topic, payload, packet) => {
      all.push(`${topic} ${payload.length > 50 ? payload.length : payload} ${packet.qos} ${
        packet.retain}`);
      if (all.length === count) resolve(all.sort());
    });
  });
}

async function talk(url, options) {
  const client = await mqtt.connectAsync(url, { ...options, protocolVersion: 5 });
  const heard = messages(client, 4);
  console.log(await client.subscribeAsync('room/+/said', { qos: 2 }));
  await client.publishAsync('room/1/said', 'none');
  await client.publishAsync('room/2/said', 'one', { qos: 1 });
  await client.publishAsync('room/3/said', 'two', { qos: 2 });
  await client.publishAsync('room/4/said', Buffer.alloc(500000, 'x'), { qos: 1 });
  console.log(await heard);
  await client.publishAsync('kept', 'for later', { qos: 1, retain: true });
  const late = await mqtt.connectAsync(url, options);
  const kept = messages(late, 1);
  await late.subscribeAsync('kept');
  console.log(await kept);
  await client.publishAsync('kept', '', { retain: true, qos: 1 });
  await will(url, options, late);
  await late.endAsync();
  await client.endAsync();
}

async function will(url, options, listener) {
  listener.removeAllListeners('message');
  await listener.subscribeAsync('last');
  const heard = messages(listener, 1);
  const dying = await mqtt.connectAsync(url, { ...options, reconnectPeriod: 0,
    will: { topic: 'last', payload: 'words', qos: 1 } });
  dying.stream.destroy();
  console.log(await heard);
  await dying.endAsync(true);
}

async function main() {
  await talk(plain, {});
  await talk(secure, certificates);
  await mqtt.connectAsync(secure, { ca: certificates.ca, reconnectPeriod: 0, connectTimeout: 3000 },
    false).then((client) => client.endAsync(true), () => console.log('no certificate, no entry'));
  await mqtt.connectAsync(secure, { reconnectPeriod: 0 }, false)
    .catch((error) => console.log(error.code, error.message));
  console.log('end');
}
main();
