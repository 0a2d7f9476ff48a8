// jose and openpgp: tokens and messages, signed and encrypted with keys of every kind
'use strict';
const { Readable } = require('node:stream');

async function tokens() {
  const jose = await import('jose');
  const claims = { sub: 'me', list: [1, 'é'] };
  for (const alg of ['RS256', 'PS384', 'ES256', 'ES512', 'EdDSA']) {
    const { publicKey, privateKey } = await jose.generateKeyPair(alg, { extractable: true });
    const token = await new jose.SignJWT(claims).setProtectedHeader({ alg, kid: 'k' })
      .setIssuedAt(1).setIssuer('here').setExpirationTime('99 years').sign(privateKey);
    const { payload, protectedHeader } = await jose.jwtVerify(token, publicKey, { issuer: 'here' });
    const jwk = await jose.exportJWK(publicKey);
    const set = jose.createLocalJWKSet({ keys: [{ ...jwk, kid: 'k', alg }] });
    console.log(alg, payload.sub, payload.list, protectedHeader, Object.keys(jwk).sort().join(),
      (await jose.jwtVerify(token, set)).payload.iss,
      (await jose.exportPKCS8(privateKey)).split('\n')[0]);
    const changed = `${token.slice(0, -8)}AAAAAAAA`;
    await jose.jwtVerify(changed, publicKey).catch((error) => console.log(error.code));
    await jose.jwtVerify(token, publicKey, { audience: 'x' }).catch((error) =>
      console.log(error.code, error.message));
  }
  const secret = new Uint8Array(32).fill(7);
  for (const [alg, enc] of [['dir', 'A256GCM'], ['A256KW', 'A128CBC-HS256'],
    ['PBES2-HS256+A128KW', 'A192GCM'], ['RSA-OAEP-256', 'A256GCM'], ['ECDH-ES+A128KW', 'A128GCM'],
    ['ECDH-ES', 'A256CBC-HS512']]) {
    const pair = /RSA|ECDH/.test(alg) ? await jose.generateKeyPair(alg) : undefined;
    const closed = await new jose.CompactEncrypt(new TextEncoder().encode('secret text'))
      .setProtectedHeader({ alg, enc }).encrypt(pair?.publicKey ?? secret);
    const opened = await jose.compactDecrypt(closed, pair?.privateKey ?? secret,
      { keyManagementAlgorithms: [alg] });
    console.log(alg, enc, closed.split('.').length, new TextDecoder().decode(opened.plaintext));
  }
  console.log(await jose.calculateJwkThumbprint({ kty: 'oct', k: 'AQID' }),
    await new jose.SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret));
}

async function messages() {
  const openpgp = require('openpgp');
  for (const type of ['ecc', 'rsa', 'curve25519']) {
    const { privateKey, publicKey } = await openpgp.generateKey({ type, rsaBits: 2048,
      userIDs: [{ name: 'Ö', email: 'o@example.com' }], passphrase: 'pass', format: 'object' });
    const key = await openpgp.decryptKey({ privateKey, passphrase: 'pass' });
    const armored = await openpgp.encrypt({ message: await openpgp.createMessage({
      text: 'a message\nof two lines' }), encryptionKeys: publicKey, signingKeys: key });
    const { data, signatures } = await openpgp.decrypt({ message: await openpgp.readMessage({
      armoredMessage: armored }), decryptionKeys: key, verificationKeys: publicKey });
    console.log(type, armored.split('\n')[0].trim(), data, await signatures[0].verified,
      publicKey.getAlgorithmInfo().algorithm, publicKey.users[0].userID.userID);
    await openpgp.decryptKey({ privateKey, passphrase: 'wrong' })
      .catch((error) => console.log(error.message));
  }
  const binary = new Uint8Array(100000).fill(3);
  const locked = await openpgp.encrypt({ message: await openpgp.createMessage({ binary }),
    passwords: ['one', 'two'], format: 'binary', config: {
      preferredCompressionAlgorithm: openpgp.enums.compression.zlib } });
  const opened = await openpgp.decrypt({ message: await openpgp.readMessage({
    binaryMessage: locked }), passwords: 'two', format: 'binary' });
  console.log(locked.length < 2000, Buffer.from(opened.data).equals(Buffer.from(binary)));
  const streamed = await openpgp.encrypt({ message: await openpgp.createMessage({
    text: Readable.toWeb(Readable.from(['in ', 'pieces'])) }), passwords: 'x' });
  let armored = '';
  for await (const piece of streamed) armored += piece;
  console.log((await openpgp.decrypt({ message: await openpgp.readMessage({
    armoredMessage: armored }), passwords: 'x' })).data);
  await openpgp.readMessage({ armoredMessage: 'nonsense' })
    .catch((error) => console.log(error.message));
}

tokens().then(messages);
