#!/usr/bin/env bash
# bindings.sh PROGRAM SCRIPT [SEEDS]: the script in an empty folder, with one seed after another.
# FUZZ_FIRST is the first of them.
set -euo pipefail
program=$1
script=$2
seeds=${3:-12}
first=${FUZZ_FIRST:-1}

# Calls close descriptors, and then change the mode and the times of what got their numbers. For
# root nothing but the folder can be changed: the rest is mounted for reading, where nobody else
# sees it.
guard() {
    mount --bind "$TMPDIR" "$TMPDIR"
    for place in /dev /; do
        mount -o remount,bind,ro "$place" 2>/dev/null || true
    done
}

if [ -z "${FUZZ_INSIDE:-}" ]; then
    TMPDIR=$(mktemp -d)
    trap 'rm -rf "$TMPDIR"' EXIT
    export TMPDIR FUZZ_INSIDE=plain
    own=()
    if [ "$(id -u)" = 0 ] && unshare --mount true 2>/dev/null; then
        own=(unshare --mount)
        FUZZ_INSIDE=guarded
    fi
    "${own[@]}" "$BASH" "$0" "$@"
    exit
fi

[ "$FUZZ_INSIDE" = plain ] || guard
cd "$TMPDIR"
: >input # not a device: it is descriptor 0
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0:allocator_may_return_null=1
for seed in $(seq "$first" $((first + seeds - 1))); do
    mkdir "$seed"
    status=0
    (cd "$seed" && exec timeout -k 5 300 "$program" "$script" "$seed" 60) \
        <input >output 2>errors || status=$?
    if [ "$status" -ne 0 ]; then
        echo "seed $seed: status $status"
        tail -n 60 errors
        exit 1
    fi
done
