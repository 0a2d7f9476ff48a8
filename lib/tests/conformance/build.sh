#!/usr/bin/env bash
# build.sh SOURCE OUT INCLUDE LIBRARY [ROOT]: the test runner, built with the headers in INCLUDE and
# linked with LIBRARY, as OUT/run-tests. ROOT: the C library to run with is below it.
set -euo pipefail
source=$1 out=$2 include=$3 library=$4 root=${5:-}
mkdir -p "$out"

newest=$(find "$include/uv.h" "$include/uv" -name '*.h' -printf '%T@ %p\n' | sort -rn |
    sed -n '1s/^[^ ]* //p')
for file in "$source"/test/*.c; do
    name=$(basename "$file" .c)
    case $name in benchmark-* | run-benchmarks | runner-win | test-fs-fd-hash) continue ;; esac
    [ "$out/$name.o" -nt "$newest" ] || printf '%s\n%s\n' "$file" "$out/$name.o"
done | xargs -r -P "$(nproc)" -n 2 sh -c '
    gcc -w -O1 -D_GNU_SOURCE -I"$0" -I"$1" -c "$2" -o "$3" 2>"$3.log" && rm "$3.log" && exit
    # It wants something of libuv that is not public: its tests count as skipped.
    reason=$(sed -n -E "s/.*error: //p" "$3.log" | head -n 1 | tr -d "\"\\\\")
    echo "  $(basename "$2") does not build: $reason"
    rm "$3.log"
    { echo "#include \"task.h\""
      sed -n -E "s/^((TEST|HELPER)_IMPL\(\w+\)).*/\1 { RETURN_SKIP(\"\"); }/p" "$2"; } |
        gcc -w -I"$0" -I"$1" -x c -c - -o "$3"' "$include" "$source/test"

# The path of the C library is known when the runner is copied to where it runs: see run.py.
loader=
if [ -n "$root" ]; then
    loader=-Wl,--allow-shlib-undefined,--dynamic-linker,/$(printf 'LOADER%.0s' {1..30})
    libraries=$(dirname "$library")
    cp -L "$libraries"/*.so.* "$out"
    cp -L "$libraries"/ld-linux*.so.* "$out/loader"
fi
# shellcheck disable=SC2086
gcc -o "$out/run-tests" "$out"/*.o "$library" $loader -Wl,--disable-new-dtags,-rpath,'$ORIGIN' \
    -lpthread -ldl -lutil
cp -L "$library" "$out/libuv.so.1"
