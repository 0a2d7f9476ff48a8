#!/usr/bin/env bash
# debian_packages_come_and_go.sh BUILD [SUITE]: in a fresh Debian the packages of scripts/deb.sh
# are installed, used and removed; the system's libuv and its users notice only while
# libphasor-system is there.
. tests/packaging/common.bash
suite=${2:-bookworm}
ls "$build"/deb/phasor_*.deb >/dev/null 2>&1 || skip "there are no packages: make deb makes them"
root=$temp/root
new_system "$suite" "$root" lua5.1 lua-luv gcc libc6-dev pkg-config
mkdir "$root/packages"
cp "$build"/deb/*.deb "$root/packages/"
rm -f "$root"/packages/*-dbgsym_*
cat >"$root/version.c" <<'END'
#include <stdio.h>
#include <uv.h>
int main(void) {
    puts(uv_version_string());
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
END
echo 'console.log(require("crypto").createHash("sha1").update("a").digest("hex"))' >"$root/hash.js"
known=86f7e437faa5a7fce15d1ddcb9eaeaea377667b8
lua=(lua5.1 -e 'print(require("luv").version_string())')
theirs=$(inside "$root" "${lua[@]}")
[ "$theirs" != "$libuv_version" ] || fail "the system's libuv has our version"

# every file of the system, but for what apt and dpkg note about what they do
snapshot() {
    (cd "$root" && find bin/ etc lib/ sbin/ usr ! -path '*/__pycache__*' -printf '%p %l %m\n' |
        grep -vE '^etc/ld.so.cache |^usr/share/mime' | LC_ALL=C sort)
    (cd "$root" && cat usr/lib/*/libuv.so.1.0.0 | sha256sum)
}
snapshot >"$temp/before"

add() { logged inside "$root" sh -c "apt-get install -qq $*"; }
add --no-install-recommends /packages/phasor_*.deb /packages/libphasor_*.deb
says "it runs" inside "$root" phasor -e 'setTimeout(() => console.log("it runs"))'
says "$theirs" inside "$root" "${lua[@]}"
says "$libuv_version" inside "$root" phasor run -- "${lua[@]}"
logged inside "$root" phasor trace -o /luv.trace -- lua5.1 -e 'local luv = require("luv")
    local timer = luv.new_timer() timer:start(1, 0, function() timer:close() end) luv.run()'
inside "$root" phasor report /luv.trace | grep -q timer || fail "nothing was recorded"
echo 'setTimeout(() => console.log(true), 3600000)' >"$root/hour.js"
says true inside "$root" phasor sim /hour.js
logged inside "$root" apt-get remove -qq phasor # what is there already gets no recommended ones
add --install-recommends /packages/phasor_*.deb
missing=$(inside "$root" sh -c 'for plugin in /usr/lib/*/phasor/phasor/*.so; do ldd $plugin; done' |
    grep 'not found' || true)
if [ -z "$missing" ]; then
    says $known inside "$root" phasor /hash.js
else
    echo "these packages were made on another release, plug-ins miss: $missing"
fi

add /packages/libphasor-dev_*.deb
logged inside "$root" sh -c 'gcc /version.c -o /version $(pkg-config --cflags --libs phasor)'
says "$libuv_version" inside "$root" /version

# For all programs, also after libuv itself has come again, until it is removed.
add /packages/libphasor-system_*.deb
says "$libuv_version" inside "$root" "${lua[@]}"
logged inside "$root" sh -c 'apt-get install -qq --reinstall $(dpkg -S libuv.so.1.0.0 |
    sed -n "s/^\(libuv1[^:]*\):.*/\1/p" | head -n 1)'
logged inside "$root" ldconfig
says "$libuv_version" inside "$root" "${lua[@]}"
logged inside "$root" apt-get purge -qq libphasor-system
says "$theirs" inside "$root" "${lua[@]}"
[ -z "$(inside "$root" dpkg-divert --list | grep phasor)" ] || fail "a diversion is left"

logged inside "$root" sh -c 'apt-get purge -qq phasor libphasor libphasor-dev &&
    apt-get autoremove --purge -qq'
says "$theirs" inside "$root" "${lua[@]}"
snapshot >"$temp/after"
diff "$temp/before" "$temp/after" >"$temp/changes" ||
    fail "left behind: $(head -20 "$temp/changes")"
