#!/usr/bin/env bash
# make dist in two folders, with other settings around: the same bytes. The archive is installed
# without root, runs from another place, and goes again.
. tests/packaging/common.bash
SOURCE_DATE_EPOCH=$(scripts/epoch.sh)
export SOURCE_DATE_EPOCH
# copy FOLDER: this tree, somewhere else
copy() {
    mkdir -p "$1/build"
    git ls-files -z --cached --others --exclude-standard |
        tar --null --ignore-failed-read -T - -cf - | tar -C "$1" -xf -
    cp -r "$build/quickjs" "$1/build/"
    if [ -s "$build/play/editor.js" ]; then
        mkdir "$1/build/play"
        cp "$build/play/editor.js" "$1/build/play/"
    fi
    rm -rf "$1/build/quickjs/patched"
}
first=$temp/one second=$temp/another/way/down
copy "$first"
copy "$second"
(cd "$first" && logged scripts/dist.sh build)
(cd "$second" && umask 077 && LC_ALL=C.UTF-8 TZ=Asia/Tokyo logged scripts/dist.sh build)
cmp "$first/build/dist/SHA256SUMS" "$second/build/dist/SHA256SUMS" ||
    fail "two builds differ: $(diff "$first/build/dist/SHA256SUMS" "$second/build/dist/SHA256SUMS")"

archive=$first/build/dist/phasor-$version-linux-$machine-glibc.tar.gz
! tar -xzOf "$archive" | grep -aF "$temp" >/dev/null || fail "the archive names the build folder"
mkdir -p "$build/dist"
cp "$first"/build/dist/* "$build/dist/"

chmod 711 "$temp"
mkdir "$temp/home"
as_user=()
if [ "$(id -u)" = 0 ]; then
    chown 65534 "$temp/home"
    as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    chmod -R go+rX "$first"
fi
as_user+=(env -i HOME="$temp/home" PATH="$temp/home/.local/bin:$PATH")
says "phasor $version is installed: $temp/home/.local/bin/phasor" \
    "${as_user[@]}" sh "$first/build/dist/install.sh" "$archive"
rm -rf "$first" "$second"
says "it runs" "${as_user[@]}" phasor -e 'setTimeout(() => console.log("it runs"))'
says 86f7e437faa5a7fce15d1ddcb9eaeaea377667b8 "${as_user[@]}" phasor -p \
    'require("crypto").createHash("sha1").update("a").digest("hex")'
logged "${as_user[@]}" sh -c 'cd && phasor trace -o js.trace -e "setTimeout(() => 0, 1)" &&
    phasor report js.trace'
installer=$build/dist/install.sh
says "phasor is removed from $temp/home/.local" "${as_user[@]}" sh -s -- --uninstall <"$installer"
[ -z "$(find "$temp/home" -name '*phasor*')" ] || fail "left behind: $(find "$temp/home")"
