#!/usr/bin/env bash
# compare.sh HOME PHASOR NAME...: runs each program in HOME with Node and with phasor and compares
# what they print.
set -euo pipefail
home=$1
phasor=$2
shift 2
limit=${USERLAND_LIMIT:-120}

# run PROGRAM NAME OUTPUT: gives the seconds that it took.
run() {
    local began=$EPOCHREALTIME status=0
    (cd "$home" && exec timeout -k 5 "$limit" "$1" "$2.js") >"$3" 2>"$3.err" </dev/null || status=$?
    echo "exit status $status" >>"$3"
    awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }'
}

failed=0
printf '%-12s %-10s %8s %8s   %s\n' program result "node s" "phasor s" "what it does"
for name in "$@"; do
    node_time=$(run node "$name" "$home/$name.node")
    phasor_time=$(run "$phasor" "$name" "$home/$name.phasor")
    result=same
    if ! diff -u "$home/$name.node" "$home/$name.phasor" >"$home/$name.diff"; then
        result=DIFFERS
        failed=1
    fi
    if [ "$(tail -n 1 "$home/$name.node")" = "exit status 124" ]; then
        result=ENDLESS
        failed=1
    fi
    what=$(sed -n '1s#^// ##p' "$home/$name.js")
    printf '%-12s %-10s %8s %8s   %s\n' "$name" $result "$node_time" "$phasor_time" "$what"
    if [ $result = DIFFERS ]; then
        head -n 30 "$home/$name.diff"
        head -n 10 "$home/$name.phasor.err"
    fi
done
exit $failed
