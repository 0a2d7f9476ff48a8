#!/usr/bin/env bash
# sources.sh BUILD FOLDER: what packages are built from, without a network: the project's files as
# Git knows them, the engine's sources in FOLDER/engine and, where the build has made one, the
# page's editor beside them. All files have the time that SOURCE_DATE_EPOCH says.
set -euo pipefail
build=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder/engine"
files() {
    if [ -e .git ]; then
        git ls-files -z --cached --others --exclude-standard
    else # an unpacked archive of the sources
        find . \( -path ./build -o -path ./engine \) -prune -o ! -type d -print0
    fi
}
files | while IFS= read -r -d '' file; do
    [ ! -e "$file" ] || printf '%s\0' "$file"
done | tar --null -T - -cf - | tar -C "$folder" -xf -
found=$(sh runtime/scripts/quickjs.sh "$build")
cp "${found#* * }"/*.[ch] "$folder/engine/"
find "${found#* * }" -maxdepth 1 -name 'LICENSE*' -exec cp {} "$folder/engine/" \;
[ ! -s "$build/play/editor.js" ] || cp "$build/play/editor.js" "$folder/engine/editor.js"
find "$folder" -exec touch -h -d "@${SOURCE_DATE_EPOCH:-0}" {} +
