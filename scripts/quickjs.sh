#!/bin/sh
# quickjs.sh BUILD: finds the sources of the JavaScript engine (quickjs-ng) and prints their folder.
# In this order: $QUICKJS_DIR; an earlier fetch; Debian's installed qjs-src; Debian's testing suite,
# fetched with a private apt configuration below the build folder: the mirror and the key come from
# the machine's own settings, signatures are checked, and the machine's packages stay as they are.
set -eu
build=${1:?usage: quickjs.sh BUILD}
suite=forky

sources_below() {
    header=$(find "$1" -name quickjs.h -print -quit 2>/dev/null) || return 1
    [ -n "$header" ] && [ -f "$(dirname "$header")/quickjs.c" ] && dirname "$header"
}

# One line per archive: its key ("-" if the machine's own keys apply) and its address.
archives() {
    for list in /etc/apt/sources.list.d/*.sources; do
        [ -f "$list" ] || continue
        awk 'BEGIN { RS = ""; FS = "\n" }
             { uri = ""; key = "-"; deb = 0
               for (i = 1; i <= NF; i++) {
                   value = $i
                   sub(/^[^:]*:[ \t]*/, "", value)
                   if ($i ~ /^Types:/ && value ~ /deb( |$)/) deb = 1
                   if ($i ~ /^URIs:/) { uri = value; sub(/ .*/, "", uri) }
                   if ($i ~ /^Signed-By:[ \t]*\//) key = value
               }
               if (deb && uri != "") print key, uri }' "$list"
    done
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -f "$list" ] || continue
        sed -n 's/^deb[[:space:]]\{1,\}//p' "$list" | awk '
            { key = "-"; rest = $0
              if (rest ~ /^\[/) {
                  options = rest
                  sub(/\].*/, "", options)
                  sub(/^[^]]*\][ \t]*/, "", rest)
                  if (match(options, /signed-by=[^ \]]+/))
                      key = substr(options, RSTART + 10, RLENGTH - 10)
              }
              split(rest, part, /[ \t]+/)
              print key, part[1] }'
    done
}

# apt with folders of its own.
private_apt() {
    apt-get -qq -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts="$apt/empty" \
        -o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts="$apt/empty" \
        -o Dir::State="$apt" -o Dir::State::Lists="$apt/lists" \
        -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache" \
        -o APT::Sandbox::User=root -o Acquire::Languages=none \
        -o APT::Get::AllowUnauthenticated=false "$@"
}

fetch() {
    apt=$1/apt
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/empty"
    # Only Debian's own archive carries the suite.
    found=$(archives | grep -v -e '-security/*$' | grep -m 1 'debian/*$') ||
        { echo "quickjs.sh: no Debian archive in this machine's apt settings" >&2; return 1; }
    key=${found%% *}
    options=
    [ "$key" = - ] || options="[signed-by=$key] "
    echo "deb $options${found#* } $suite main" >"$apt/sources.list"
    : >"$apt/status"
    private_apt update >&2 || return 1
    (cd "$apt" && rm -f qjs-src_*.deb && private_apt download qjs-src >&2) || return 1
    rm -rf "$1/sources.new"
    dpkg -x "$apt"/qjs-src_*.deb "$1/sources.new" && mv "$1/sources.new" "$1/sources"
}

fail() {
    echo "quickjs.sh: $1" >&2
    exit 1
}

folder=$build/quickjs
if [ -n "${QUICKJS_DIR:-}" ]; then
    sources_below "$QUICKJS_DIR" || fail "no quickjs.c below $QUICKJS_DIR"
elif ! sources_below "$folder/sources" && ! sources_below /usr/src/quickjs-ng; then
    command -v apt-get >/dev/null || fail "no apt-get here to fetch the engine with"
    mkdir -p "$folder"
    fetch "$(cd "$folder" && pwd)" || fail "the engine could not be fetched"
    sources_below "$folder/sources" || fail "the package holds no quickjs.c"
fi
