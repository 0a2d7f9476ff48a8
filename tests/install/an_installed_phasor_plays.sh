#!/usr/bin/env bash
# The page, its server and what C programs are built with are found beside the installed command.
. tests/install/prefix.bash
[ -f "$prefix/share/phasor/play/page.html" ] || { echo "skipped: no phasor play here"; exit 77; }
mv "$prefix" "$temp/moved"
echo 'console.log("played");' >"$temp/program.js"
"$temp/moved/bin/phasor" play "$temp/program.js" --events | grep '"out",1,"played' >/dev/null ||
    fail "an installed phasor plays no JavaScript"
"$temp/moved/bin/phasor" play play/lessons/inside/ca-unref.c --events |
    grep '"out",1,"10 ms' >/dev/null ||
    fail "an installed phasor plays no C"
"$temp/moved/bin/phasor" play "$temp/program.js" --save "$temp/page.html"
grep -q 'id="play-data"' "$temp/page.html" || fail "an installed phasor saves no page"
