#!/usr/bin/env bash
# fuzz.sh BUILD [SECONDS [TARGET...]]: runs each fuzz target with libFuzzer for so many seconds, 60,
# one after the other, on a build of its own with clang and the address and undefined-behaviour
# sanitizers. What it learns stays in BUILD/fuzz/corpus and begins the next run; what make test goes
# through is tests/fuzz/corpus. Inputs that broke something are in BUILD/fuzz/found.
set -euo pipefail
build=$1
seconds=${2:-60}
shift $(($# < 2 ? $# : 2))
folder=$build/fuzz
command -v clang >/dev/null || { echo "clang is not installed" >&2; exit 1; }
case $seconds in
'' | *[!0-9]*) echo "how many seconds? not \"$seconds\"" >&2; exit 2 ;;
esac

TARGETS="fuzz_engine fuzz_runtime fuzz_http_parser fuzz_idna fuzz_inspector_messages fuzz_trace_file
         fuzz_world_file" \
    scripts/build.sh "$folder" -DCMAKE_C_COMPILER=clang -DPHASOR_SANITIZE=address \
    -DPHASOR_FUZZ=ON -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_FLAGS_RELEASE="-O1 -gline-tables-only"
parts=$(tr ';' ' ' <"$folder/tests/fuzz/parts.txt")
[ $# -gt 0 ] || set -- engine $parts http_parser idna inspector_messages trace_file world_file

mkdir -p "$folder/found"
# Leaks: a runtime that goes on for ever has what it keeps.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:handle_abort=1
export UBSAN_OPTIONS=print_stacktrace=1
broken=""
for target in "$@"; do
    program=$folder/tests/fuzz/$target
    [ -x "$program" ] || program=$folder/tests/fuzz/runtime
    learnt=$folder/corpus/$target
    mkdir -p "$learnt" "tests/fuzz/corpus/$target"
    dictionary=tests/fuzz/dictionaries/$target.txt
    options=(-max_total_time="$seconds" -timeout=20 -rss_limit_mb=4000 -print_final_stats=1
        -artifact_prefix="$folder/found/$target-")
    [ ! -f "$dictionary" ] || options+=(-dict="$dictionary")
    status=0
    FUZZ_PART=$target "$program" "${options[@]}" "$learnt" "tests/fuzz/corpus/$target" \
        >"$folder/$target.log" 2>&1 || status=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$target.log")
    seen=$(sed -nE 's/.* cov: ([0-9]+) .*/\1/p' "$folder/$target.log" | tail -n 1)
    echo "$target: ${runs:-?} inputs, ${seen:-?} places reached, status $status"
    if [ "$status" != 0 ]; then
        broken="$broken $target"
        grep -nE 'ERROR|runtime error|not so:|SUMMARY|Test unit written' "$folder/$target.log" |
            head -n 8
    fi
done
[ -z "$broken" ] || { echo "Broken:$broken (the logs are in $folder)"; exit 1; }
