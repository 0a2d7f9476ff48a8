# For the scripts of this folder: a build with the simulated world and the runtime, a folder of
# their own, and words to say what is wrong. Each gets the build folder.
set -euo pipefail
build=$(realpath "$1")
phasor=$build/bin/phasor
root=$PWD
here=$root/play/tests
[ -f "$build/lib/phasor/sim/libuv.so.1" ] || { echo "no simulated world in this build"; exit 77; }
[ -f "$build/share/phasor/play/page.html" ] || { echo "built without phasor play"; exit 77; }
folder=$(mktemp -d "${TMPDIR:-/tmp}/phasor-play-test-XXXXXX")
server=""
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"

fail() {
    echo "$*" >&2
    exit 1
}

play() { # play ARGUMENTS...
    timeout -k 5 120 "$phasor" play "$@" </dev/null
}

start_server() { # start_server ARGUMENTS...: sets $server and $address
    "$phasor" play --no-open "$@" >address.txt 2>server.txt </dev/null &
    server=$!
    for _ in $(seq 300); do
        [ ! -s address.txt ] || break
        sleep 0.1
    done
    address=$(head -n 1 address.txt)
    [ -n "$address" ] || fail "the server said nothing: $(cat server.txt)"
}

# What the page says of each step of the program's recording: a line each, with the step's key, its
# rule, its sentence and, in brackets, what waits in a box.
steps() { # steps PROGRAM [BOX]
    if [ ! -d page ]; then
        cp -r "$root/play/page" page
        echo '{ "type": "module" }' >page/package.json
        cp "$here/steps.js" page/
    fi
    play "$1" --events >events.txt
    timeout -k 5 120 "$phasor" page/steps.js "$1" "$root/play" "${2-}" <events.txt
}

says() { # says PATTERN: one of the steps in steps.txt, as a whole line
    grep -qx -- "$1" steps.txt || fail "no step says: $1
$(cat steps.txt)"
}

# The kinds of the events in events.txt, in their order, those of the list alone.
kinds() { # kinds KIND...
    python3 - "$@" <<'END'
import json
import sys
rows = [json.loads(line) for line in open("events.txt") if line.startswith("[")]
print(" ".join(row[2] for row in rows if row[2] in sys.argv[1:]))
END
}

# A program with something in most queues.
write_program() {
    cat >program.js <<'END'
const fs = require('fs');

fs.readFile(__filename, function onRead() {
  setTimeout(function timeout() { console.log('timeout'); }, 0);
  setImmediate(function immediate() { console.log('immediate'); });
  console.log('read');
});
process.nextTick(function tick() { console.log('tick'); });
Promise.resolve().then(function promise() { console.log('promise'); });
console.log('script');
END
}
