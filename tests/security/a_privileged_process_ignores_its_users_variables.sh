#!/usr/bin/env bash
# Copies of phasor with a capability and with set-user-id, started by somebody who has neither: no
# variable of Node's or of ours makes them run code, write files or trust certificates. The same
# copies without privileges heed them all, so that the test can see it.
set -euo pipefail
build=$(realpath "$1")
user="setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all"
skip() { echo "skipped: $1"; exit 77; }
fail() { echo "$1" >&2; exit 1; }
[ -x "$build/bin/phasor" ] || skip "no phasor in this build"
"$build/bin/phasor" -e 0 || skip "no runtime in this build"
[ "$(id -u)" = 0 ] || skip "only root gives privileges to files"
command -v setcap >/dev/null || skip "no setcap here"
# As long as the search path that it replaces: the loader does not heed $ORIGIN where it matters.
temp=$(mktemp -d /tmp/ph.XXXXXX)
trap 'rm -rf "$temp"' EXIT
chmod 755 "$temp"
$user test -r "$temp" || skip "other users can't enter the temporary folder"

cat >"$temp/secure.c" <<'END'
#include <sys/auxv.h>
int main(void) { return getauxval(AT_SECURE) ? 0 : 1; }
END
gcc "$temp/secure.c" -o "$temp/secure"
setcap cap_net_bind_service+ep "$temp/secure" || skip "this file system has no capabilities"
$user "$temp/secure" || skip "capabilities of files have no effect here"

# The copies, with absolute search paths.
cp -L "$build"/lib/libuv.so.1 "$temp/libuv.so.1"
mkdir "$temp/bin" "$temp/lib" "$temp/sim"
cp -RL "$build/lib/phasor" "$temp/lib/phasor"
ln -s lib/phasor "$temp/phasor" # beside the library, where it looks for the recorder
cp -L "$build/lib/phasor/sim/libuv.so.1" "$temp/sim/libuv.so.1" 2>/dev/null || true
python3 - "$build/bin/phasor" "$temp/bin/plain" "$temp" <<'END'
import re, sys
text = open(sys.argv[1], "rb").read()
old, = set(re.findall(rb"\$ORIGIN/\.\./lib[^\0]*\0", text))
new = sys.argv[3].encode()
assert len(new) < len(old), old
open(sys.argv[2], "wb").write(text.replace(old, new.ljust(len(old), b"\0")))
END
chmod 755 "$temp/bin/plain"
cp "$temp/bin/plain" "$temp/bin/capable"
setcap cap_net_bind_service+ep "$temp/bin/capable"
cp "$temp/bin/plain" "$temp/bin/setuid"
chown 65533 "$temp/bin/setuid"
chmod 4755 "$temp/bin/setuid"

home=$temp/home
mkdir -m 777 "$home" "$home/modules" "$home/.node_modules"
echo 'process.stdout.write("REQUIRED ")' >"$home/required.js"
echo 'exports.found = true' >"$home/modules/planted.js"
echo 'exports.found = true' >"$home/.node_modules/planted_at_home.js"
cat >"$home/look.js" <<'END'
const told = [];
for (const name of ['planted', 'planted_at_home']) {
  try { require(name); told.push(name); } catch {}
}
require('util').debuglog('look')('DEBUGGED');
process.emitWarning('a warning');
for (const name of ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'NODE_TLS_REJECT_UNAUTHORIZED',
  'NODE_V8_COVERAGE', 'NODE_REPL_HISTORY', 'NODE_REPL_EXTERNAL_MODULE', 'PHASOR_TRACE',
  'PHASOR_SIM', 'PHASOR_ANYTHING', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'OPENSSL_CONF', 'ICU_DATA']) {
  if (process.env[name] !== undefined) told.push(name);
}
console.log([...told, process.env.NODE_ENV, process.env.MY_OWN].join(' '));
END

# run PROGRAM: what it says, on one line, and what it left behind
run() {
    rm -rf "$home/warnings" "$home/trace" "$home/coverage"
    (cd "$home" && $user env HOME="$home" NODE_OPTIONS="--require $home/required.js" \
        NODE_PATH="$home/modules" NODE_DEBUG=look NODE_REDIRECT_WARNINGS="$home/warnings" \
        NODE_V8_COVERAGE="$home/coverage" NODE_EXTRA_CA_CERTS="$home/none" \
        NODE_TLS_REJECT_UNAUTHORIZED=0 NODE_REPL_HISTORY="$home/history" \
        NODE_REPL_EXTERNAL_MODULE="$home/required.js" PHASOR_TRACE="$home/trace" PHASOR_SIM=1:x \
        PHASOR_ANYTHING=1 SSL_CERT_FILE="$home/none" SSL_CERT_DIR="$home" \
        OPENSSL_CONF="$home/none" ICU_DATA="$home" NODE_ENV=production MY_OWN=kept \
        "$1" "$home/look.js" 2>"$temp/errors")
    for file in warnings trace coverage; do
        [ ! -e "$home/$file" ] || echo "left:$file"
    done
    grep -o DEBUGGED "$temp/errors" || true
}

said=$(run "$temp/bin/plain" | tr '\n' ' ')
for wanted in REQUIRED planted planted_at_home NODE_OPTIONS PHASOR_SIM left:warnings left:trace \
    DEBUGGED "production kept"; do
    [[ " $said " == *" $wanted "* ]] || fail "without privileges it does not heed $wanted: $said"
done
for program in capable setuid; do
    said=$(run "$temp/bin/$program" | tr '\n' ' ')
    [ "$said" = "production kept " ] ||
        fail "the $program copy heeds what its user says: $said $(cat "$temp/errors")"
done

# A server that may open a port below 1024 forks itself: its children still hear from it.
echo 'const c = require("cluster");
if (c.isPrimary) c.fork().on("message", (m) => console.log(m)); else process.send("heard", () =>
  process.disconnect());' >"$home/cluster.js"
[ "$($user env HOME="$home" "$temp/bin/capable" "$home/cluster.js")" = heard ] ||
    fail "a child of a privileged process does not hear from it"

# The library too, in the simulated world: it is not entered from outside.
if [ -e "$temp/sim/libuv.so.1" ]; then
    cat >"$temp/enter.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>
int main(int argc, char** argv) {
    char value[64];
    snprintf(value, sizeof(value), "%d:%s", getpid(), argv[1]);
    if (argc == 3) {
        setenv("PHASOR_SIM", value, 1);
        execl(argv[2], argv[2], argv[1], NULL);
    }
    return uv_version() == 0;
}
END
    gcc -Ilib/include "$temp/enter.c" -o "$temp/bin/enter" "$temp/sim/libuv.so.1" \
        -Wl,-rpath,"$temp/sim"
    cp "$temp/bin/enter" "$temp/bin/enter_capable"
    setcap cap_net_bind_service+ep "$temp/bin/enter_capable"
    head -c 100000 /dev/zero >"$temp/home/world"
    chmod 666 "$temp/home/world"
    if $user "$temp/bin/enter" "$home/world" "$temp/bin/enter" 2>/dev/null; then
        fail "a world that is none was entered without a word"
    fi
    $user "$temp/bin/enter" "$home/world" "$temp/bin/enter_capable" ||
        fail "a privileged program goes into a world of its user's"
fi
