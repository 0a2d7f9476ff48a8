#!/usr/bin/env bash
# make dist again in another folder, with other settings around: the same bytes. Every archive is
# installed without root, runs from there and goes again, those of other processors emulated; those
# for glibc ask for no symbol newer than 2.28, those for musl for no library.
. tests/packaging/common.bash
[ -f "$build/dist/SHA256SUMS" ] || skip "there are no archives: make dist makes them"
SOURCE_DATE_EPOCH=$(scripts/epoch.sh)
export SOURCE_DATE_EPOCH
other=$temp/another/way/down
mkdir -p "$other/build"
git ls-files -z --cached --others --exclude-standard |
    tar --null --ignore-failed-read -T - -cf - | tar -C "$other" -xf -
cp -r "$build/quickjs" "$other/build/"
rm -rf "$other/build/quickjs/patched"
if [ -s "$build/play/editor.js" ]; then
    mkdir "$other/build/play"
    cp "$build/play/editor.js" "$other/build/play/"
fi
[ ! -d "$build/sysroots" ] || ln -s "$build/sysroots" "$other/build/sysroots"
mapfile -t platforms < <(sed -n "s/.* phasor-$version-linux-\(.*\)\.tar\.gz$/\1/p" \
    "$build/dist/SHA256SUMS")
(cd "$other" && umask 077 && LC_ALL=C.UTF-8 TZ=Asia/Tokyo \
    logged scripts/dist.sh build "${platforms[@]}")
source=phasor-$version-source.tar.gz
cmp "$build/dist/$source" "$other/build/dist/$source" ||
    fail "the sources differ: make dist makes the archives of this tree"
cmp "$build/dist/SHA256SUMS" "$other/build/dist/SHA256SUMS" ||
    fail "two builds differ: $(diff "$build/dist/SHA256SUMS" "$other/build/dist/SHA256SUMS")"
rm -rf "$other"

chmod 711 "$temp"
cp -r "$build/dist" "$temp/dist"
chmod -R go+rX "$temp/dist"
mkdir "$temp/home"
as_user=()
if [ "$(id -u)" = 0 ]; then
    chown 65534 "$temp/home"
    as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
as_user+=(env -i HOME="$temp/home" PATH="$temp/home/.local/bin:$PATH")
tree=$temp/home/.local/opt/phasor

# newer: what the installed tree asks of a glibc after 2.28
newer() {
    find "$tree/bin" "$tree/lib" -type f \( -name '*.so*' -o -name phasor \) \
        -exec readelf --wide --dyn-syms {} + |
        sed -nE 's/.* UND (\S+)@GLIBC_2\.([0-9]+).*/\2 \1/p' |
        awk '$1 > 28 { print $2 "@GLIBC_2." $1 }' | sort -u
}
# check_own PLATFORM: installed by the installer, used, and removed
check_own() {
    local archive=$temp/dist/phasor-$version-linux-$1.tar.gz
    says "phasor $version is installed: $temp/home/.local/bin/phasor" \
        "${as_user[@]}" sh "$temp/dist/install.sh" "$archive"
    ! grep -raF "$temp" "$tree" >/dev/null || fail "$1: the archive names the build folder"
    says "it runs" "${as_user[@]}" phasor -e 'setTimeout(() => console.log("it runs"))'
    logged "${as_user[@]}" sh -c 'cd && phasor trace -o js.trace -e "setTimeout(() => 0, 1)" &&
        phasor report js.trace'
    case $1 in
    *-glibc)
        says 86f7e437faa5a7fce15d1ddcb9eaeaea377667b8 "${as_user[@]}" phasor -p \
            'require("crypto").createHash("sha1").update("a").digest("hex")'
        says true "${as_user[@]}" sh -c 'cd &&
            echo "setTimeout(() => console.log(true), 3600000)" >hour.js && phasor sim hour.js'
        [ -z "$(newer)" ] || fail "$1 asks for a newer glibc: $(newer)"
        ;;
    *-musl)
        [ -z "$(readelf -d "$tree/bin/phasor" | grep NEEDED)" ] || fail "$1 is not static"
        ;;
    esac
    says "phasor is removed from $temp/home/.local" \
        "${as_user[@]}" sh -s -- --uninstall <"$temp/dist/install.sh"
    [ -z "$(find "$temp/home" -name '*phasor*')" ] || fail "left behind: $(find "$temp/home")"
}
# check_foreign PLATFORM: unpacked, its command emulated with Debian's libraries of its processor
check_foreign() {
    tree=$temp/foreign
    mkdir "$tree"
    tar -xzf "$temp/dist/phasor-$version-linux-$1.tar.gz" -C "$tree" --strip-components=1
    ! grep -raF "$temp" "$tree" >/dev/null || fail "$1: the archive names the build folder"
    [ "${1#*-}" = musl ] || [ -z "$(newer)" ] || fail "$1 asks for a newer glibc: $(newer)"
    says "it runs" "$(emulator_of "$1")" -L "$build/sysroots/${1%-*}" "$tree/bin/phasor" \
        -e 'setTimeout(() => console.log("it runs"))'
    rm -rf "$tree"
}
. scripts/dist-platforms.bash
for platform in "${platforms[@]}"; do
    if [ "${platform%-*}" = "$machine" ]; then
        check_own "$platform"
    else
        check_foreign "$platform"
    fi
done
echo "archives: ${platforms[*]}"
