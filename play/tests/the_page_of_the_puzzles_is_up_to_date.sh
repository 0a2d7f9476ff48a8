# docs/puzzles/puzzles.html is what play/puzzles.sh writes, has every puzzle, and stays small.
. "$(dirname "$0")/common.bash"

"$root/play/puzzles.sh" "$build" "$folder/new.html"
stored=$root/docs/puzzles/puzzles.html
python3 -B "$here/puzzle_pages.py" "$stored" new.html
[ "$(stat -c %s "$stored")" -lt 600000 ] || fail "the page is too large"
# Each puzzle's program is linked to.
grep -o 'puzzles.html#program=[a-z0-9-]*' "$root/docs/PUZZLES.md" | sed 's/.*=//' | sort -u >linked
grep -o '[a-z0-9-]*\.m\?js' "$root/play/puzzles.sh" | sed 's/\.m\?js//' | sort -u >played
diff linked played || fail "docs/PUZZLES.md links to other programs than the page has"
