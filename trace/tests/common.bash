# Sourced by the tests in this folder: $build, $phasor, $program, $events, a temporary folder $temp
# that is the working directory, and a few words.
set -euo pipefail
build=$(realpath "${1:?the build folder}")
sanitizer=${2:-}
source=$PWD
phasor=$build/bin/phasor
program=$build/tests/trace/program
events=$build/tests/trace/events
[ -x "$phasor" ] || { echo "$phasor is not built" >&2; exit 1; }
temp=$(mktemp -d "${TMPDIR:-/tmp}/phasor-trace-XXXXXX")
children=()
clean_up() {
    for child in ${children[@]+"${children[@]}"}; do
        kill -9 "$child" 2>/dev/null || true
    done
    wait 2>/dev/null || true
    rm -rf "$temp"
    # Whoever looks at any file gives back what killed programs have left in memory.
    "$phasor" report /dev/null >/dev/null 2>&1 || true
}
trap clean_up EXIT
cd "$temp"
unset PHASOR_TRACE PHASOR_TRACE_LIMIT PHASOR_TRACE_KEEP
# The program has no path to the library inside, so that each run says which one it means.
export LD_LIBRARY_PATH=$build/lib

fail() {
    echo "$*" >&2
    exit 1
}

skip() {
    echo "skipped: $1"
    exit 77
}

# expect STATUS COMMAND...: output in the files out and err
expect() {
    local wanted=$1 status=0
    shift
    "$@" >out 2>err || status=$?
    [ "$status" = "$wanted" ] || fail "$* ended with $status, not $wanted: $(cat out err)"
}

# app.js, for Node: in every tenth of a second crunch() keeps the loop for a while, and it ticks.
make_busy_app() {
    cat >app.js <<'END'
function crunch(ms) {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < ms * 1000) for (let i = 0; i < 1e4; i++) Math.sqrt(i);
}
setInterval(function route() { crunch(60); console.log('tick'); }, 100);
END
}

# says FILE TEXT
says() {
    grep -qF -- "$2" "$1" || fail "\"$2\" is not in $1: $(cat "$1")"
}

# wait_for SECONDS COMMAND...: until it succeeds
wait_for() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || fail "waited in vain for: $*"
        sleep 0.05
    done
}
