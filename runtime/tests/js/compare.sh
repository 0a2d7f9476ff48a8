#!/usr/bin/env bash
# compare.sh PHASOR SCRIPT: the script prints and exits in our runtime as it does in Node, which is
# written down in runtime/tests/js/expected. Where the Node is installed that the files were made
# with, it
# runs the script too and must still do the same; COMPARE_NODE=no leaves that out.
# compare.sh --write SCRIPT: writes down what Node does (make js-expected).
# A script whose name ends in .sh gets the program to use as its argument. Standard error is
# compared without what engines are free to choose: the frames inside the runtime, the names and
# columns of the others, the caret's place, the version line.
# A script with a line "// compare: stdout" has its output and its status compared only.
# Our runtime frees all it has at its end, and a leak that the engine finds fails the test.
set -euo pipefail
here=$(realpath "$(dirname "$0")")
script=$(realpath "$2")
name=${script#"$here/"}
expected=$here/expected/${name%.*}.txt

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
limit=${JS_TEST_LIMIT:-540}
# In kB; a program that fills the stack may ask for less: "// stack: 16384".
if [ -n "${COMPARE_STACK:-}" ]; then
    own=$(sed -n 's|^// stack: ||p' "$script" | head -n 1)
    ulimit -S -s "${own:-$COMPARE_STACK}"
fi
# A sanitizer keeps freed memory for a while; some scripts look at the size of the process.
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:quarantine_size_mb=8
# Frames on the heap, where the sanitizer sees their use after a return, make deep recursion in a
# thread take minutes: "// frames: on the stack".
! grep -q '^// frames: on the stack$' "$script" ||
    ASAN_OPTIONS=$ASAN_OPTIONS:detect_stack_use_after_return=0
unset NODE_OPTIONS NODE_PATH NODE_DEBUG FORCE_COLOR NO_COLOR
export PHASOR_CHECK_LEAKS=1
# The addons of runtime/tests/napi, for the programs in napi/.
addons=$here/../../../build/tests/addons
[ "$1" = --write ] || addons=$(dirname "$(realpath "$1")")/../tests/addons
export PHASOR_TEST_ADDONS=$addons

# The names of this machine's folders.
places() { # places NAME
    local from_here
    from_here=$(realpath --relative-to="$work/$1" "${script%/*}")
    sed -E -e "s#$from_here/#DIR/#g" -e "s#$work/$1\\b#CWD#g" -e "s#${script%/*}/#DIR/#g" \
        -e "s#${script%/*}\\b#DIR#g"
}

# Standard error as both engines have to print it.
tidy() { # tidy NAME
    sed -E -e "s#file://##g" "$work/$1.stderr" | places "$1" |
        sed -E \
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
            -e '/^$/d' |
        sed -E -e ':join' -e 'N' -e '$!bjoin' -e 's/\n\{(\n|$)/ {\1/g'
}

# A throw inside Node's own sources shows a line of those, ours shows a line of the script: where
# Node's is one of those, both are left out.
without_place() {
    sed -E -e '1{/^(node:.*|(DIR|CWD).*:[0-9]+)$/{N;d}}'
}

# run NAME PROGRAM: in an empty folder of its own; writes NAME.result, in the form of the files in
# expected/.
run() {
    local command=("$2" "$script")
    status=0
    case $script in *.sh) command=(bash "$script" "$2") ;; esac
    mkdir "$work/$1"
    (cd "$work/$1" && exec timeout -k 5 "$limit" "${command[@]}") \
        >"$work/$1.stdout" 2>"$work/$1.stderr" </dev/null || status=$?
    {
        echo "exit status $status"
        echo "=== standard output"
        places "$1" <"$work/$1.stdout"
        [ -z "$(tail -c 1 "$work/$1.stdout")" ] || printf '\n(no newline at the end)\n'
        grep -q '^// compare: stdout' "$script" || {
            tidy "$1" >"$work/$1.tidy"
            if { [ "$1" = node ] && head -n 1 "$work/$1.tidy" | grep -q '^node:'; } ||
                { [ "$1" = phasor ] && grep -q '^=== standard error, without' "$expected"; }; then
                echo "=== standard error, without its place"
                without_place <"$work/$1.tidy"
            else
                echo "=== standard error"
                cat "$work/$1.tidy"
            fi
        }
    } >"$work/$1.result"
}

if [ "$1" = --write ]; then
    run node node
    if [ "$status" = 124 ]; then
        echo "$script takes too long" >&2
        exit 1
    fi
    mkdir -p "${expected%/*}"
    cp "$work/node.result" "$expected"
    exit
fi

[ -e "$expected" ] || { echo "there is no $expected: run make js-expected"; exit 1; }
same=0
run phasor "$(realpath "$1")"
if ! diff -u --label "expected, from Node" --label phasor "$expected" "$work/phasor.result" \
    >"$work/diff"; then
    head -n 100 "$work/diff"
    same=1
    if [ -s "$work/phasor.stderr" ]; then
        echo "--- what the runtime said on standard error"
        head -n 40 "$work/phasor.stderr"
    fi
fi
if grep -q 'phasor: the engine found a leak' "$work/phasor.stderr"; then
    echo "the engine found a leak"
    same=1
fi
# On a busy machine Node may be late for what a script expects: only what it does again and again
# counts, and not what takes it too long.
node_agrees() {
    for _ in 1 2 3; do
        rm -rf "$work/node"
        run node node
        if [ "$status" = 124 ] || diff -u --label expected --label "Node now" "$expected" \
            "$work/node.result" >"$work/diff"; then
            return 0
        fi
    done
    return 1
}

if [ "${COMPARE_NODE:-yes}" = yes ] &&
    [ "$(node --version 2>/dev/null || true)" = "$(cat "$here/expected/node-version")" ] &&
    ! node_agrees; then
    echo "Node does something else than what is written down: run make js-expected"
    head -n 100 "$work/diff"
    same=1
fi
exit $same
