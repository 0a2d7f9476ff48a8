# For the scripts of this folder: a build with the simulated world, a folder of their own, and words
# to say what is wrong. Each gets the build folder.
set -euo pipefail
build=$(realpath "$1")
phasor=$build/bin/phasor
here=$PWD/sim/tests
programs=$here/programs
[ -f "$build/lib/phasor/sim/libuv.so.1" ] || { echo "no simulated world in this build"; exit 77; }
folder=$(mktemp -d "${TMPDIR:-/tmp}/phasor-sim-XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
    echo "$*" >&2
    exit 1
}

needs_runtime() {
    "$phasor" -e 0 2>/dev/null || { echo "built without the runtime"; exit 77; }
}

sim() { # sim ARGUMENTS...: in the world, with an empty standard input
    timeout -k 5 600 "$phasor" sim "$@" </dev/null
}

same() { # same FILE FILE WHAT
    cmp -s "$1" "$2" || { diff "$1" "$2" | head -n 20 >&2 || true; fail "$3"; }
}

says() { # says FILE TEXT: the file has a line with the text
    grep -qF -- "$2" "$1" || { cat "$1" >&2; fail "this does not say \"$2\""; }
}

refused() { # refused TEXT ARGUMENTS...: status 2 and one sentence, which has the text
    local text=$1 status=0
    shift
    sim "$@" >refused.out 2>refused.err || status=$?
    [ $status = 2 ] || { cat refused.err >&2; fail "phasor sim $*: status $status, not 2"; }
    [ ! -s refused.out ] || fail "phasor sim $*: something on standard output"
    [ "$(wc -l <refused.err)" = 1 ] || { cat refused.err >&2; fail "phasor sim $*: not one line"; }
    says refused.err "$text"
}
