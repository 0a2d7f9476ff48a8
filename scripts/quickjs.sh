#!/bin/sh
# Finds the sources of the JavaScript engine (quickjs-ng) and prints their folder.
# In this order: $QUICKJS_DIR; an earlier fetch; Debian's installed qjs-src; Debian's testing suite,
# fetched with a private apt configuration below the build folder: the mirror and the key come from
# the machine's own settings, signatures are checked, and the machine's own packages stay as they are.
set -eu
build=${1:?usage: quickjs.sh BUILD_FOLDER}
suite=forky

sources_below() {
    header=$(find "$1" -name quickjs.h -print -quit 2>/dev/null) || return 1
    [ -n "$header" ] && [ -f "$(dirname "$header")/quickjs.c" ] && dirname "$header"
}

# One line per usable archive: options, address. Reads both of apt's formats.
archives() {
    # Only Debian's own archive carries the suite; the security archive ends in "-security".
    for list in /etc/apt/sources.list.d/*.sources; do
        [ -f "$list" ] || continue
        awk 'BEGIN { RS = ""; FS = "\n" }
             { uri = ""; key = ""; deb = 0
               for (i = 1; i <= NF; i++) {
                   split($i, f, /:[ \t]*/)
                   if ($i ~ /^Types:/ && $i ~ /deb( |$)/) deb = 1
                   if ($i ~ /^URIs:/) { uri = $i; sub(/^URIs:[ \t]*/, "", uri); sub(/ .*/, "", uri) }
                   if ($i ~ /^Signed-By:[ \t]*\//) { key = $i; sub(/^Signed-By:[ \t]*/, "", key) }
               }
               if (deb && uri != "") print (key == "" ? "-" : key), uri }' "$list"
    done
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -f "$list" ] || continue
        sed -n 's/^deb[ \t]\{1,\}//p' "$list" |
            awk '{ key = "-"; uri = $1
                   if ($0 ~ /^\[/) { opts = $0; sub(/\].*/, "", opts); rest = $0; sub(/^[^]]*\][ \t]*/, "", rest)
                       split(rest, r, /[ \t]+/); uri = r[1]
                       if (match(opts, /signed-by=[^ \]]+/)) key = substr(opts, RSTART + 10, RLENGTH - 10) }
                   print key, uri }'
    done
}

fetch() {
    root=$1/apt
    mkdir -p "$root/lists/partial" "$root/cache/archives/partial" "$root/empty"
    key_and_uri=$(archives | grep -v -e '-security/*$' | grep -m 1 'debian/*$') ||
        { echo "quickjs.sh: no Debian archive in this machine's apt settings" >&2; return 1; }
    key=${key_and_uri%% *}
    uri=${key_and_uri#* }
    options=
    [ "$key" = - ] || options="[signed-by=$key] "
    echo "deb $options$uri $suite main" > "$root/sources.list"
    : > "$root/status"
    apt_private() {
        apt-get -qq -o Dir::Etc::SourceList="$root/sources.list" -o Dir::Etc::SourceParts="$root/empty" \
            -o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts="$root/empty" \
            -o Dir::State="$root" -o Dir::State::Lists="$root/lists" -o Dir::State::status="$root/status" \
            -o Dir::Cache="$root/cache" -o APT::Sandbox::User=root -o Acquire::Languages=none \
            -o APT::Get::AllowUnauthenticated=false "$@"
    }
    apt_private update >&2 || return 1
    (cd "$root" && rm -f qjs-src_*.deb && apt_private download qjs-src >&2) || return 1
    rm -rf "$1/sources.new"
    dpkg -x "$root"/qjs-src_*.deb "$1/sources.new" && mv "$1/sources.new" "$1/sources"
}

folder=$build/quickjs
if [ -n "${QUICKJS_DIR:-}" ]; then
    sources_below "$QUICKJS_DIR" || { echo "quickjs.sh: no quickjs.c below $QUICKJS_DIR" >&2; exit 1; }
elif sources_below "$folder/sources"; then
    :
elif sources_below /usr/share/quickjs-ng || sources_below /usr/src/quickjs-ng || sources_below /usr/share/qjs; then
    :
else
    mkdir -p "$folder"
    fetch "$folder" || { echo "quickjs.sh: the engine could not be fetched" >&2; exit 1; }
    sources_below "$folder/sources"
fi
