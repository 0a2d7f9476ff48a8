# The page in a browser: keys, three lessons, other orders, an error of syntax, both languages, a
# telephone, dark and light; axe finds nothing; a saved page works alone.
. "$(dirname "$0")/common.bash"

command -v chromium >/dev/null || { echo "chromium is not installed"; exit 77; }
write_program
axe=$build/play/axe/node_modules/axe-core/axe.min.js
if [ ! -f "$axe" ]; then
    mkdir -p "$build/play/axe"
    (cd "$build/play/axe" && npm install --no-save --ignore-scripts --no-audit --no-fund \
        axe-core@4.10.3) >axe.log 2>&1 || { echo "axe-core can't be fetched"; axe=-; }
fi
play program.js --save saved.html
[ "$(stat -c %s saved.html)" -lt 620000 ] || fail "the page is too large"
start_server program.js --language en
timeout -k 5 800 python3 -B "$here/page.py" "$address" saved.html "$folder" "$axe"
