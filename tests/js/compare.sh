#!/usr/bin/env bash
# compare.sh PHASOR SCRIPT: the script prints the same and exits with the same status in Node 20 and
# in our runtime. A script whose name ends in .sh gets the program to use as its argument. Standard
# error is compared without what engines are free to choose: the frames inside the runtime, the
# names and columns of the others, the caret's place, the version line.
# A script with a line "// compare: stdout" has its output and its status compared only.
# Our runtime frees all it has at its end, and a leak that the engine finds fails the test.
# 77: there is no Node 20 or no runtime to compare.
set -euo pipefail
phasor=$1
script=$(realpath "$2")

case "$(node --version 2>/dev/null || true)" in
v20.*) ;;
*) echo "no Node 20 here" && exit 77 ;;
esac
[ -x "$phasor" ] || { echo "no runtime at $phasor" && exit 77; }
phasor=$(realpath "$phasor")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
limit=${JS_TEST_LIMIT:-60}
# A sanitizer keeps freed memory for a while; some scripts look at the size of the process.
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:quarantine_size_mb=8
unset NODE_OPTIONS NODE_PATH NODE_DEBUG FORCE_COLOR NO_COLOR
export PHASOR_CHECK_LEAKS=1

# run NAME PROGRAM: in an empty folder of its own, so that the two runs do not meet.
run() {
    local status=0
    local command=("$2" "$script")
    case $script in *.sh) command=(bash "$script" "$2") ;; esac
    mkdir "$work/$1"
    (cd "$work/$1" && exec timeout -k 5 "$limit" "${command[@]}") \
        >"$work/$1.stdout" 2>"$work/$1.stderr" </dev/null || status=$?
    echo "exit status $status" >"$work/$1.status"
}

# tidy NAME: standard error as both engines have to print it.
tidy() {
    sed -E \
        -e "s#file://##g" \
        -e "s#$work/$1\\b#CWD#g" \
        -e "s#$(dirname "$script")/#DIR/#g" \
        -e 's/^\((node|phasor):[0-9]+\)/(PID)/' \
        -e 's#^([^ ]*/)?(node|phasor): #node: #' \
        -e 's/^\(Use `(node|phasor) --/(Use `node --/' \
        -e '/^Node\.js v/d' \
        -e '/^ *\^+ *$/d' \
        -e 's/^( +at ).*\(((DIR|CWD)[^()]*)\)/\1\2/' \
        -e 's/^( +at (DIR|CWD)[^ ]*:[0-9]+):[0-9]+/\1/' \
        -e '/^ +at async /d' \
        -e '/^ +at (DIR|CWD)/!s/^ +at .* \{$/{/' \
        -e '/^ +at (DIR|CWD)/!{/^ +at /d}' \
        -e 's/^( +\.\.\. )[0-9]+( lines matching)/\1N\2/' \
        -e '/^$/d' \
        "$work/$1.stderr" |
        sed -E -e ':join' -e 'N' -e '$!bjoin' -e 's/\n\{(\n|$)/ {\1/g'
}

# A throw inside Node's own sources shows a line of those, ours shows a line of the script.
drop_place() {
    sed -E -e '1{/^(node:.*|(DIR|CWD).*:[0-9]+)$/{N;d}}' "$1" >"$1.rest" && mv "$1.rest" "$1"
}

run node node
run phasor "$phasor"
kinds="status stdout"
if ! grep -q '^// compare: stdout' "$script"; then
    kinds="$kinds tidy"
    for name in node phasor; do
        tidy $name >"$work/$name.tidy"
    done
    if head -n 1 "$work/node.tidy" | grep -q '^node:'; then
        drop_place "$work/node.tidy"
        drop_place "$work/phasor.tidy"
    fi
fi

same=0
if grep -q 'phasor: the engine found a leak' "$work/phasor.stderr"; then
    echo "the engine found a leak"
    same=1
fi
for kind in $kinds; do
    if ! diff -u --label "node $kind" --label "phasor $kind" \
        "$work/node.$kind" "$work/phasor.$kind" >"$work/$kind.diff"; then
        head -n 100 "$work/$kind.diff"
        same=1
    fi
done
if [ $same -ne 0 ] && [ -s "$work/phasor.stderr" ]; then
    echo "--- what the runtime said on standard error"
    head -n 40 "$work/phasor.stderr"
fi
exit $same
