// nodemailer against aiosmtpd: STARTTLS, passwords, attachments, refusals, pools
// needs: smtp
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const nodemailer = require('nodemailer');

const ca = fs.readFileSync(path.join(process.env.KEYS, 'ca.pem'), 'utf8');
const place = { host: '127.0.0.1', port: Number(process.env.SMTP_PORT), requireTLS: true,
  tls: { ca }, auth: { user: 'user', pass: 'secret' } };
const mail = { from: 'a@example.test', to: ['b@example.test', '"Ç" <c@example.test>'],
  messageId: '<1@example.test>', date: new Date(0), subject: 'Grüße', text: 'text',
  html: '<p>text</p>', attachments: [{ filename: 'a.bin', content: Buffer.alloc(300000, 1) }] };

const show = ({ accepted, rejected, response, envelope }) =>
  console.log({ accepted, rejected, response, envelope });

async function main() {
  const plain = nodemailer.createTransport(place);
  console.log(await plain.verify());
  show(await plain.sendMail(mail));
  plain.close();
  const pool = nodemailer.createTransport({ ...place, pool: true, maxConnections: 2 });
  const sent = await Promise.all(Array.from({ length: 10 }, (_, i) =>
    pool.sendMail({ ...mail, subject: `number ${i}`, attachments: [] })));
  console.log(sent.map((one) => one.response).join());
  pool.close();
  for (const change of [{ auth: { user: 'user', pass: 'other' } }, { tls: {} },
    { auth: undefined }]) {
    await nodemailer.createTransport({ ...place, ...change }).sendMail(mail)
      .catch((error) => console.log(error.code, error.command, error.message));
  }
  const stream = nodemailer.createTransport({ streamTransport: true, buffer: true,
    newline: 'unix' });
  const made = await stream.sendMail({ ...mail, html: undefined, attachments: [] });
  console.log(made.message.toString());
  console.log('end');
}
main();
