#!/usr/bin/env bash
# engine-refresh.sh BUILD VERSION|FOLDER: applies the series of runtime/engine/patches to another
# version of the engine (of Debian's package qjs-src, or the sources in a folder), says of each
# patch how it applies, and writes the series as it fits that version to
# BUILD/engine-refresh/patches. Fails when a patch does not apply, or does not compile there.
set -euo pipefail
build=$1
wanted=${2:-}
[ -n "$wanted" ] || { echo "Usage: make engine-refresh VERSION=version or folder" >&2; exit 2; }
patches=$PWD/runtime/engine/patches
home=$build/engine-refresh
mkdir -p "$home"
home=$(cd "$home" && pwd)

if [ -d "$wanted" ]; then
    found=$(QUICKJS_DIR=$wanted sh runtime/scripts/quickjs.sh "$home")
else
    found=$(QUICKJS_PACKAGE=$wanted sh runtime/scripts/quickjs.sh "$home/$wanted")
fi
read -r state version sources <<<"$found"
echo "quickjs-ng $version ($state) in $sources"

after=$home/after
before=$home/before.c
report=$home/said
rm -rf "$after" "$home/patches"
mkdir -p "$after" "$home/patches"
cp "$sources"/*.[ch] "$after"
refused=0
applied=" "

# The header of a patch, and the changes that it makes here.
refresh() {
    sed '/^--- /,$d' "$patches/$1"
    diff -u --suppress-blank-empty --label a/quickjs.c --label b/quickjs.c -F '^[a-zA-Z_].*(' \
        "$before" "$after/quickjs.c" || [ $? = 1 ]
}
compiles() {
    cc -fsyntax-only -w -D_GNU_SOURCE -DQUICKJS_NG_BUILD -Iruntime -Iruntime/engine -I"$after" \
        "$after/quickjs.c" >"$report" 2>&1
}
refuse() {
    echo "$1: $2"
    sed -n "$3" "$report" | sed 's/^/    /'
    cp "$before" "$after/quickjs.c"
    refused=$((refused + 1))
}

while read -r patch; do
    name=${patch#*-}
    name=${name%.patch}
    needed=$(sed -n 's/^Needs: //p' "$patches/$patch")
    cp "$after/quickjs.c" "$before"
    if [ -n "$needed" ] && [[ $applied != *" $needed "* ]]; then
        : >"$report"
        refuse "$patch" "not tried, it needs $needed" p
    elif ! patch -p1 --forward --no-backup-if-mismatch --reject-file=- -d "$after" \
        -i "$patches/$patch" >"$report" 2>&1; then
        refuse "$patch" "does not apply" '/FAILED/p'
    else
        how="applies"
        grep -q offset "$report" && how="applies at other lines"
        grep -q fuzz "$report" && how="applies with other lines around it: read it"
        if compiles; then
            echo "$patch: $how"
            refresh "$patch" >"$home/patches/$patch"
            echo "$patch" >>"$home/patches/series"
            applied="$applied$name "
        else
            refuse "$patch" "$how, but does not compile" '/error:/p'
        fi
    fi
done <"$patches/series"
echo "The series for $version is in $home/patches; $refused patches are missing from it."
[ "$refused" = 0 ]
