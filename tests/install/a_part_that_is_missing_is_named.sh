#!/usr/bin/env bash
# Plug-ins are found wherever the tree is; without one, using it says so, and all else works.
. tests/install/prefix.bash
[ -f "$build/lib/phasor/crypto.so" ] || { echo "skipped: no crypto in this build"; exit 77; }
hash="console.log(require('crypto').createHash('sha1').update('a').digest('hex'))"
known=86f7e437faa5a7fce15d1ddcb9eaeaea377667b8
[ "$("$prefix/bin/phasor" -e "$hash")" = $known ] || fail "no crypto where it is installed"
mv "$prefix" "$temp/moved"
[ "$("$temp/moved/bin/phasor" -e "$hash")" = $known ] || fail "crypto does not work in a moved tree"

rm "$temp/moved/${libdir#"$prefix"/}/phasor/crypto.so"
for text in "try { $hash } catch (error) { console.log(error.code, error.message) }" \
    "console.log(require('crypto').randomBytes(3).length, crypto.randomUUID().length)"; do
    "$temp/moved/bin/phasor" -e "$text"
done >"$temp/without"
grep -q '^ERR_DLOPEN_FAILED .*"crypto"' "$temp/without" || fail "$(cat "$temp/without")"
grep -q '^3 36$' "$temp/without" || fail "random bytes need the plug-in: $(cat "$temp/without")"

# A program that prints a line loads none of them.
echo 'console.log(require("fs").readFileSync("/proc/self/maps", "utf8"))' >"$temp/maps.js"
! "$build/bin/phasor" "$temp/maps.js" | grep -E 'libcrypto|libssl|lib/phasor' ||
    fail "a plug-in is loaded by a program that does not use it"
