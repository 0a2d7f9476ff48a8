#!/usr/bin/env bash
# With the wrap and a source archive, dependency('libuv') is our library as a subproject, as it
# comes and as an archive; by itself it is built and installed with its libuv.pc.
. tests/install/embedded.bash
command -v meson >/dev/null || { echo "skipped: there is no meson"; exit 77; }
put_sources "$temp/phasor-0.1.0"
user=$temp/user
mkdir -p "$user/subprojects/packagefiles"
archive=$user/subprojects/packagefiles/phasor-0.1.0-source.tar.gz
tar -C "$temp" -czf "$archive" phasor-0.1.0
sed "s/@VERSION@/0.1.0/; s/@HASH@/$(sha256sum <"$archive" | cut -d ' ' -f 1)/" \
    packaging/meson/phasor.wrap.in >"$user/subprojects/phasor.wrap"
cp "$program" "$user/"
cat >"$user/meson.build" <<'END'
project('user', 'c')
executable('user', 'program.c', dependencies: dependency('libuv', version: '>=1.50'))
END
# Built three times, so without optimising: plain leaves that to whoever builds.
for kind in shared static; do
    logged meson setup "$temp/$kind" "$user" --force-fallback-for=libuv --default-library=$kind \
        --buildtype=plain
    logged meson compile -C "$temp/$kind"
    prints_version "$temp/$kind/user"
done
readelf -d "$temp/shared/user" | grep -q 'libuv\.so\.1' || fail "the library is not shared"
! readelf -d "$temp/static/user" | grep libuv || fail "the library is not static"

logged meson setup "$temp/alone" "$temp/phasor-0.1.0" --prefix "$temp/prefix" --libdir lib \
    --buildtype=plain
logged meson install -C "$temp/alone"
export PKG_CONFIG_PATH=$temp/prefix/lib/pkgconfig
gcc "$program" -o "$temp/installed" $(pkg-config --cflags --libs libuv) \
    -Wl,-rpath,"$temp/prefix/lib"
prints_version "$temp/installed"
[ "$(nm -D --defined-only "$temp/prefix/lib/libuv.so.1" | grep -c ' T uv_')" -gt 300 ] ||
    fail "functions are missing"
