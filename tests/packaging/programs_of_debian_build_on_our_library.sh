#!/usr/bin/env bash
# programs_of_debian_build_on_our_library.sh BUILD [PROGRAM...]: in a fresh Debian 13, Debian's
# sources of programs that use libuv (luv, raft; without one both) are built against the headers and
# library of libphasor-dev, and their own tests are run with phasor run, and again on the system's
# libuv: whatever passes there passes here.
. tests/packaging/common.bash
shift
programs=("$@")
[ $# -gt 0 ] || programs=(luv raft)
ls "$build"/deb/libphasor-dev_*.deb >/dev/null 2>&1 ||
    skip "there are no packages: make deb makes them"
suite=trixie
root=$temp/root
new_system "$suite" "$root" build-essential pkg-config dpkg-dev libuv1t64 netbase
mkdir "$root/packages" "$root/programs"
cp "$build"/deb/*.deb "$root/packages/"
logged inside "$root" sh -c 'cd /packages && apt-get install -qq --no-install-recommends \
    ./phasor_*.deb ./libphasor_*.deb ./libphasor-dev_*.deb'

# add PACKAGE...: what a program is built and tested with
add() { logged inside "$root" apt-get install -qq --no-install-recommends "$@"; }
# fetch SOURCE: Debian's sources in /programs/SOURCE; a mirror may not have all of them
fetch() {
    local apt=$PWD/scripts/testing-apt.sh
    mkdir "$temp/$1"
    SUITE=$suite "$apt" "$temp/apt-sources" update
    (cd "$temp/$1" && "$apt" "$temp/apt-sources" source --download-only "$1") >/dev/null 2>&1 ||
        return 1
    mkdir "$root/programs/$1"
    tar -xf "$(find "$temp/$1" -name '*.orig.tar.*' ! -name '*.asc')" -C "$root/programs/$1" \
        --strip-components=1
}
# build_it SOURCE SCRIPT: built there, where pkg-config knows our library as libuv
build_it() {
    logged inside "$root" env "CFLAGS=-O1 -w" sh -ec 'cd "/programs/$1" && export \
        PKG_CONFIG_PATH=$(echo /usr/lib/*/phasor/pkgconfig) && eval "$2"' sh "$@"
}
# failures PATTERN WHERE COMMAND...: lines of what the tests say that have the pattern
failures() {
    local pattern=$1 where=$2
    shift 2
    inside "$root" sh -c 'cd "/programs/$0" && exec timeout 1200 "$@"' "$where" "$@" \
        >"$temp/tests.log" 2>&1 || true
    grep -cE "$passed" "$temp/tests.log" >"$temp/count" || true
    grep -oE "$pattern" "$temp/tests.log" | sort -u || true
}
# compare SOURCE PASSED FAILED COMMAND...: the command's lines, by the patterns of those that passed
# and of those that failed, are no worse on our library
compare() {
    local source=$1 failed=$3 ours
    passed=$2
    shift 3
    failures "$failed" "$source" phasor run -- "$@" >"$temp/ours"
    ours=$(cat "$temp/count")
    cp "$temp/tests.log" "$temp/ours.log"
    failures "$failed" "$source" "$@" >"$temp/theirs"
    [ "$ours" -gt 0 ] || fail "$source: no test has passed: $(tail -n 20 "$temp/ours.log")"
    [ "$ours" -ge "$(cat "$temp/count")" ] ||
        fail "$source: $ours tests pass on our library, on the system's $(cat "$temp/count")"
    worse=$(comm -23 "$temp/ours" "$temp/theirs")
    [ -z "$worse" ] || fail "$source fails on our library alone: $worse
$(grep -B 5 -A 20 -F "${worse%%$'\n'*}" "$temp/ours.log" | head -n 60)"
    echo "$source: $ours passed, $(wc -l <"$temp/ours") failed; on the system's libuv" \
        "$(cat "$temp/count") and $(wc -l <"$temp/theirs")"
}

try_luv() {
    add liblua5.1-0-dev lua5.1 lua-compat53-dev
    build_it lua-luv 'gcc $CFLAGS -shared -fPIC -Isrc $(pkg-config --cflags lua5.1 libuv) \
        -I/usr/include/lua5.1 $(find /usr/include -type d -name "*compat*" -printf "-I%p ") \
        src/luv.c -o luv.so $(pkg-config --libs libuv)'
    compare lua-luv '^ok [0-9]+' '^not ok [0-9]+.*' lua5.1 tests/run.lua
}
try_raft() {
    add autoconf automake libtool liblz4-dev
    build_it raft 'autoreconf -i && ./configure --enable-uv --disable-static &&
        make -j2 test/unit/uv test/integration/uv'
    compare raft '\[ OK ' '^.*\[ (FAIL|ERROR) .*' \
        sh -c 'test/unit/uv --no-fork; test/integration/uv --no-fork'
}

declare -A sources=([luv]=lua-luv [raft]=raft)
tried=""
for program in "${programs[@]}"; do
    if fetch "${sources[$program]}"; then
        "try_$program"
        tried=yes
    else
        echo "$program: the mirror does not have its sources"
    fi
done
[ -n "$tried" ] || skip "no sources can be had"
