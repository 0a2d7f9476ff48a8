#!/usr/bin/env bash
# run.sh BUILD: each workload with our runtime and with Node; the best of three runs.
set -euo pipefail
phasor=${1:-build}/bin/phasor
here=$(dirname "$0")
best() { # best high|low COMMAND...
    local way=$1 found=""
    shift
    for _ in 1 2 3; do
        value=$("$@" | grep -oE '[0-9.]+' | head -n 1)
        if [ -z "$found" ]; then found=$value; fi
        if [ "$way" = high ]; then test_="$value > $found"; else test_="$value < $found"; fi
        if [ "$(echo "$test_" | bc -l)" = 1 ]; then found=$value; fi
    done
    echo "$found"
}
start_time() { # milliseconds until the process has printed and ended
    local began ended
    began=$(date +%s%N)
    "$1" "$here/start.js" >/dev/null
    ended=$(date +%s%N)
    echo "$(((ended - began) / 1000)) us"
}
row() { # row NAME UNIT high|low SCRIPT ARGUMENTS...
    local name=$1 unit=$2 way=$3 script=$4
    shift 4
    printf '%-28s %12s %12s  %s\n' "$name" "$(best "$way" "$phasor" "$here/$script" "$@")" \
        "$(best "$way" node "$here/$script" "$@")" "$unit"
}
printf '%-28s %12s %12s\n' workload phasor node
printf '%-28s %12s %12s  us\n' "start to first line" "$(best low start_time "$phasor")" \
    "$(best low start_time node)"
row "memory after start" kB low memory.js
row "1,000,000 timeouts" ms low timeouts.js
row "1,000,000 immediates" ms low immediates.js
row "1,000,000 ticks" ms low ticks.js
row "1,000,000 awaits" ms low promises.js
row "10,000 small files read" ms low read_files.js
row "TCP echo, 1 connection" "trips/s" high tcp_echo.js 1
row "TCP echo, 50 connections" "trips/s" high tcp_echo.js 50
