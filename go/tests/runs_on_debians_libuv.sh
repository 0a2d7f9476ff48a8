#!/usr/bin/env bash
# The library and its tests are built against Debian's libuv, not ours, and pass there.
set -euo pipefail
build=$1/go-on-libuv
uv=/usr/include/uv.h
[ -e "$uv" ] || { echo "skipped: libuv1-dev is not installed"; exit 77; }
mkdir -p "$build/include"
# Our uv.h must not be found: only this folder and the system's are searched.
cp go/include/phasor_go.h "$build/include/"
flags="-std=gnu11 -D_GNU_SOURCE -DON_LIBUV -g -O1 -Wall -Wextra -Werror -I$build/include
       -Ilib/tests"
case $(uname -m) in
x86_64) switch=go/src/context_x86_64.S ;;
aarch64) switch=go/src/context_aarch64.S ;;
*) switch="" ;;
esac
objects=()
for source in go/src/*.c $switch lib/tests/harness.c; do
    object=$build/$(basename "$source").o
    [ "$object" -nt "$source" ] && [ "$object" -nt go/src/scheduler.h ] &&
        [ "$object" -nt go/include/phasor_go.h ] ||
        gcc $flags -c "$source" -o "$object"
    objects+=("$object")
done
libuv=$(ls /usr/lib/"$(gcc -print-multiarch)"/libuv.so.1)
failed=0
for source in go/tests/*.c; do
    name=$(basename "$source" .c)
    [ "$name" != one_header ] || continue # it is about our phasor.h
    wraps=$(sed -n 's|^// wrap: ||p' "$source" | sed -E 's/[a-z_]+/-Wl,--wrap=&/g')
    gcc $flags "$source" "${objects[@]}" $wraps -o "$build/$name" "$libuv" -pthread
    if ! "$build/$name" >"$build/$name.log" 2>&1; then
        grep -v '^ok ' "$build/$name.log" >&2
        failed=1
    fi
done
exit $failed
