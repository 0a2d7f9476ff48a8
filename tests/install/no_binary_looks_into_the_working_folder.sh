#!/usr/bin/env bash
# A part of a binary's search path that is empty or relative is the folder in which somebody runs
# it: a library there would be loaded. None of ours has one, built or installed.
. tests/install/prefix.bash

# is_safe PATH: every part begins with / or with the binary's own place.
is_safe() {
    local path=$1:
    while [ -n "$path" ]; do
        case ${path%%:*} in
        /* | '$ORIGIN' | '$ORIGIN'/* | '${ORIGIN}' | '${ORIGIN}'/*) ;;
        *) return 1 ;;
        esac
        path=${path#*:}
    done
}
for path in '' : /lib: :/lib lib '$ORIGIN/../lib:' '/a::/b' . '$ORIGINAL'; do
    ! is_safe "$path" || fail "the check lets \"$path\" pass"
done
is_safe '/a/b:$ORIGIN/../lib' || fail "the check finds fault with a good path"

checked=0
while IFS= read -r -d '' file; do
    [ "$(head -c 4 "$file" | tr '\177' x)" = xELF ] || continue
    checked=$((checked + 1))
    paths=$(readelf -dW "$file" 2>/dev/null |
        sed -nE 's/.*\((RPATH|RUNPATH)\).*: \[(.*)\]$/path=\2/p')
    while IFS= read -r path; do
        [ -z "$path" ] || is_safe "${path#path=}" || fail "$file looks into \"${path#path=}\""
    done <<<"$paths"
done < <(find "$build/bin" "$build/lib" "$build/tests" "$build/examples" "$prefix" -type f \
    \( -perm -u+x -o -name '*.so*' \) -print0 2>/dev/null)
[ "$checked" -ge 4 ] || fail "only $checked binaries were found"

# And what is loaded is not what lies there.
if [ -x "$build/bin/phasor" ]; then
    mkdir "$temp/trap"
    echo '__attribute__((constructor)) static void run(void) { __builtin_trap(); }' >"$temp/trap.c"
    for name in libm.so.6 libuv.so.1 libz.so.1; do
        gcc -shared -fPIC "$temp/trap.c" -o "$temp/trap/$name"
    done
    for program in "$build/bin/phasor" "$prefix/bin/phasor"; do
        (cd "$temp/trap" && "$program" --version >/dev/null) ||
            fail "$program runs what lies in the working folder"
    done
fi
