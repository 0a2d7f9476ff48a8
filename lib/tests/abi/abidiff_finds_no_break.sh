#!/usr/bin/env bash
# abidiff compares the library that programs on Debian were built for with ours: no function may be
# gone, no signature and no size may differ.
. lib/tests/abi/common.bash
need_library
command -v abidiff >/dev/null || skip "abigail-tools is not installed"
theirs=$(ldconfig -p | sed -nE 's/.*libuv\.so\.1 .*x86-64.* => (.*)/\1/p' | head -n 1)
[ -n "$theirs" ] && [ -e /usr/include/uv.h ] || skip "libuv1-dev is not installed"
if [ "$(nm -D "$theirs" | grep -c ' T phasor_')" != 0 ]; then
    skip "the installed libuv.so.1 is not Debian's"
fi

compare() { # compare OPTION... THEIRS: 0 = no difference that is not suppressed
    abidiff --no-added-syms "$@" "$build/lib/libuv.so.1"
}

# Debian's library says which functions there are. It has no debugging information, so a stand-in
# that is compiled with Debian's header says what they take and give.
status=0
compare --suppr $here/abidiff.suppress "$theirs" || status=$?
nm -D --defined-only "$theirs" | awk '{print $NF}' >"$temp/names"
generate stubs $(cat "$temp/names") >"$temp/stubs.c"
gcc -std=gnu2x -w -g -shared -fPIC -Wl,-soname,libuv.so.1 "$temp/stubs.c" -o "$temp/stubs.so"
compare --suppr $here/abidiff.suppress "$temp/stubs.so" || status=$?

# The suppressed types as well keep their sizes.
compare --leaf-changes-only "$temp/stubs.so" >"$temp/leaves" || true
if grep -A1 -E "^'(struct|union|enum) .* changed:" "$temp/leaves" |
    grep -B1 '^  type size changed'; then
    status=1
fi
echo "$(wc -l <"$temp/names") functions compared"
exit $status
