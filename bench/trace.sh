#!/usr/bin/env bash
# trace.sh BUILD: what the recorder costs. Switched off, against a library that was compiled without
# its hooks: rows of the bench (ROWS says which, ROUNDS how often), and instructions, which valgrind
# counts exactly. Switched on: ns per event, of the thread that records and of the whole process,
# and the CPU time of a request to an HTTP server (bench/trace/served.py).
set -euo pipefail
build=$(realpath "${1:?the build folder}")
here=$(dirname "$0")
out=$build/bench-trace
mkdir -p "$out/none"

scripts/build.sh "$build"
TARGETS=uv scripts/build.sh "$out/none" -DPHASOR_TESTS=OFF -DPHASOR_RUNTIME=OFF \
    -DCMAKE_C_FLAGS=-DPH_WITHOUT_HOOKS
compile() { # compile FOLDER SOURCE...
    local folder=$1 source
    shift
    mkdir -p "$folder"
    for source in "$@"; do
        "${CC:-gcc}" -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Ilib/include -I"$here" "$source" \
            -o "$folder/$(basename "$source" .c)" -L"$build/lib" -luv -pthread
    done
}
compile "$out" "$here"/trace/*.c "$here/runtime/load.c"
compile "$out/workloads" "$here"/workloads/{echo,loop,pool,timers}.c

echo "Switched off:"
LD_LIBRARY_PATH=$build/lib python3 -B "$here/trace/off.py" "$out/workloads" "$build/lib" \
    "$out/none/lib" \
    ${ROWS:-loop-idle loop-idle-watching timers-churn-1k work-throughput echo-pipe-1}
echo

# instructions FOLDER CASE COUNT
instructions() {
    LD_LIBRARY_PATH=$1/lib valgrind --tool=callgrind --callgrind-out-file="$out/callgrind.out" \
        "$out/steps" "$2" "$3" 2>&1 | awk '/Collected/ { print $NF }'
}

# each FOLDER CASE: instructions of one step
each() {
    echo $((($(instructions "$1" "$2" 30000) - $(instructions "$1" "$2" 10000)) / 20000))
}

printf '%-12s %12s %14s %8s\n' "" instructions "without hooks" more
for name in iteration timer wake-up echo; do
    ours=$(each "$build" "$name")
    none=$(each "$out/none" "$name")
    printf '%-12s %12d %14d %7.1f%%\n' "$name" "$ours" "$none" \
        "$(awk "BEGIN { print 100 * ($ours - $none) / $none }")"
done

cost=("$(LD_LIBRARY_PATH=$build/lib "$out/cost" "$out/cost.trace")")
"$build/bin/phasor" report "$out/cost.trace" --json | python3 -c '
import json, sys
report = json.load(sys.stdin)
turns, off, on, cpu = map(float, sys.argv[1].split())
events = report["events"] / turns
lost = report["lost"]
print(f"\nSwitched on: {events:.1f} events an iteration, {lost} lost")
print(f"{(on - off) / events:.1f} ns an event ({off:.0f} ns an iteration without, {on:.0f} with)")
print(f"{cpu / events:.1f} ns of CPU time an event with all that the writing thread does")
' "${cost[@]}"

echo
python3 -B "$here/trace/served.py" "$build" "$out"
