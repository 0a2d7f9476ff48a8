#!/usr/bin/env bash
# fetch.sh FOLDER: libuv's test programs, from the source package that belongs to the installed
# Debian library, into FOLDER/test. Nothing else of the package is unpacked.
#
# apt works with folders of its own here: the machine's settings are read, never changed, and the
# package is checked against the archive's signed index.
set -euo pipefail
folder=$1
[ ! -e "$folder/complete" ] || exit 0

mkdir -p "$folder/apt/sources" "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" \
    "$folder/apt/package"
apt=$(cd "$folder/apt" && pwd)
rm -f "$apt"/sources/* "$apt"/package/*

# The machine's own archives, asked for sources instead of packages.
eval "$(apt-config shell LIST Dir::Etc::sourcelist/f PARTS Dir::Etc::sourceparts/d)"
for file in "$LIST" "$PARTS"/*.list "$PARTS"/*.sources; do
    [ -e "$file" ] || continue
    case $file in
    *.sources) sed 's/^Types:.*/Types: deb-src/' "$file" >"$apt/sources/$(basename "$file")" ;;
    *) sed -n -E 's/^[[:space:]]*deb[[:space:]]/deb-src /p' "$file" \
        >"$apt/sources/$(basename "$file")" ;;
    esac
done

options=(-o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$apt/sources"
    -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache")
version=$(dpkg-query -W -f '${source:Version}' libuv1)
if ! { apt-get "${options[@]}" update &&
    cd "$apt/package" &&
    apt-get "${options[@]}" source --download-only "libuv1=$version"; } >"$apt/log" 2>&1; then
    tail -n 5 "$apt/log" >&2
    echo "The source package of libuv1 $version could not be fetched." >&2
    exit 1
fi
cd - >/dev/null

rm -rf "$folder/test"
tar -xf "$apt"/package/libuv1_*.orig.tar.* -C "$folder" --strip-components=1 \
    --wildcards '*/test/*'
rm -rf "$apt"
echo "$version" >"$folder/complete"
