#!/usr/bin/env bash
# Whatever it does in its callbacks. Each recording that it leaves can be read.
. trace/tests/common.bash
ulimit -c 0
endings=$build/tests/trace/endings
ways="exit leave abort crash fault kill terminate become signals again spawn"
# The thread sanitizer does not know threads in forked children, nor threads that never end.
[ "$sanitizer" = thread ] || ways="$ways fork go_on beside"
# What the address sanitizer says about a crash has addresses in it.
silence=()
[ -z "$sanitizer" ] || silence=(env ASAN_OPTIONS=handle_abort=0:handle_segv=0:detect_leaks=0
    TSAN_OPTIONS=handle_abort=0:handle_segv=0)

# run NAME COMMAND...: the output is in NAME.out, the status in NAME.status
run() {
    local name=$1 status=0
    shift
    (exec "$@") >"$name.out" 2>"$name.err" || status=$?
    echo $status >"$name.status"
}

# Those that are there, as far as can be expected: some were killed, some began in a callback.
check_recordings() {
    local file status mode
    for file in "$@"; do
        [ -s "$file" ] || continue
        status=$(od -An -tu4 -j52 -N4 "$file")
        mode=cut
        [ "$way" != again ] || mode=late
        [ "$status" -le 1 ] || fail "$way: $file has status $status"
        "$events" "$file" $mode >recorded 2>&1 || fail "$way: $file: $(cat recorded)"
        expect 0 "$phasor" report "$file"
        expect 0 "$phasor" report "$file" --json
        python3 -m json.tool out >/dev/null
    done
}

for way in $ways; do
    run plain ${silence[@]+"${silence[@]}"} "$endings" "$way"
    run by_hand ${silence[@]+"${silence[@]}"} env PHASOR_TRACE="$PWD/hand.$way" "$endings" "$way"
    run traced ${silence[@]+"${silence[@]}"} "$phasor" trace -o "traced.$way" -- "$endings" "$way"
    for kind in by_hand traced; do
        diff plain.status $kind.status || fail "$way: ends differently $kind: $(cat $kind.err)"
        diff plain.out $kind.out || fail "$way: prints something else $kind"
    done
    diff plain.err by_hand.err || fail "$way: says something else"
    grep -v '^phasor trace: ' traced.err >rest || true
    diff plain.err rest || fail "$way: says something else traced"
    [ -s "hand.$way" ] && [ -s "traced.$way" ] || fail "$way: nothing was recorded"
    check_recordings "hand.$way" "hand.$way".[0-9]* "traced.$way" "traced.$way".[0-9]* again
    rm -f again
done
