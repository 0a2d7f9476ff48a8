#!/usr/bin/env bash
# bundle.sh WORK OUT.js: the page's editor as one script. Without npm, or without a network, the
# script is empty, and the page has a plain field for text instead; one line says so.
# PHASOR_EDITOR=FILE is one that was made before, for builds without a network.
set -euo pipefail
source=$(cd "$(dirname "$0")" && pwd)
work=$1
out=$2
mkdir -p "$work"
cp "$source/package.json" "$source/package-lock.json" "$source/editor.js" "$work/"
give_up() {
    echo "Phasor: phasor play has a plain field instead of an editor: $1" >&2
    : >"$out"
    exit 0
}
if [ -s "${PHASOR_EDITOR:-}" ]; then
    cp "$PHASOR_EDITOR" "$out"
    exit 0
fi
command -v npm >/dev/null || give_up "npm is not installed"
if [ ! -x "$work/node_modules/.bin/esbuild" ] ||
    ! cmp -s "$work/package-lock.json" "$work/installed.json"; then
    (cd "$work" && npm ci --ignore-scripts --no-audit --no-fund) >"$work/npm.log" 2>&1 ||
        give_up "its packages can't be fetched ($work/npm.log)"
    cp "$work/package-lock.json" "$work/installed.json"
fi
(cd "$work" && node_modules/.bin/esbuild editor.js --bundle --minify --format=iife --target=es2020 \
    --legal-comments=none --outfile=bundled.js) >"$work/esbuild.log" 2>&1 ||
    give_up "it can't be bundled ($work/esbuild.log)"
{
    echo "/* CodeMirror 6 and Lezer, MIT licence, Copyright (C) by Marijn Haverbeke and others */"
    cat "$work/bundled.js"
} >"$out"
