#!/usr/bin/env bash
# --watch: the program starts again when a file that it loaded changes, and ends with its watcher.
set -uo pipefail
program=$1
for words in --check '-e 0' -i; do
    "$program" --watch $words none.js
    echo "status $?"
done
"$program" --watch
echo "status $?"

echo "module.exports = 'first';" >part.js
echo "console.log(require('./part.js'), process.argv.slice(2), typeof process.send);" >main.js
: >output
"$program" --watch main.js one 'two three' >output 2>&1 &
watcher=$!
until grep -q Completed output; do sleep 0.05; done
# Until it is seen: the watcher may not look yet.
until grep -q second output; do
    echo "module.exports = 'second';" >part.js
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        grep -q second output && break
        sleep 0.1
    done
done
until [ "$(grep -c Completed output)" -ge 2 ]; do sleep 0.05; done
kill "$watcher"
wait "$watcher"
echo "status $?"
head -5 output
