#!/usr/bin/env bash
# What OpenSSL draws in a simulated world is the world's: the same seed makes the same keys.
. sim/tests/world.bash
needs_runtime
cat >keys.js <<'END'
const crypto = require('crypto');
console.log(crypto.generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x);
crypto.generateKeyPair('ec', { namedCurve: 'P-256' }, (error, publicKey) => {
  console.log(error, publicKey.export({ format: 'jwk' }).x, crypto.randomBytes(4));
});
END
sim --seed 1 keys.js >first
[ "$(wc -l <first)" = 2 ] || fail "not all keys were made"
sim --seed 1 keys.js >again
same first again "one seed, two keys"
sim --seed 2 keys.js >other
! cmp -s first other || fail "two seeds, one key"
