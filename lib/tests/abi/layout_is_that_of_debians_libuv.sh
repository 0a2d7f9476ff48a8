#!/usr/bin/env bash
# One program, compiled with our header and with the one of Debian's libuv1-dev, prints the same
# sizes, offsets and constants for everything that both of them have.
. lib/tests/abi/common.bash
theirs=/usr/include/uv.h
[ -e $theirs ] || skip "libuv1-dev is not installed"

dump() { echo '#include <uv.h>' | gcc -D_GNU_SOURCE "$@" -E -dD -; }
dump -xc >"$temp/their_header"
dump -xc -Ilib/include >"$temp/our_header"
generate layout <"$temp/their_header" >"$temp/layout.c"
gcc -D_GNU_SOURCE "$temp/layout.c" -o "$temp/theirs"
gcc -D_GNU_SOURCE -Ilib/include "$temp/layout.c" -o "$temp/ours"
"$temp/theirs" >"$temp/theirs.txt"
"$temp/ours" >"$temp/ours.txt"
diff -U0 --label Debian "$temp/theirs.txt" --label ours "$temp/ours.txt"

# A value that joined its enum after Debian's header can be tested for with #ifdef. (Enums that are
# new altogether came with new functions; programs test the version.)
new_enums='^UV_(CLOCK|PIPE|THREAD_PRIORITY)_'
failed=0
while read -r name _; do
    [[ $name =~ $new_enums ]] && continue
    if ! grep -qw "$name" "$temp/their_header" &&
        ! grep -qE "^#define $name\b" "$temp/our_header"; then
        echo "$name is new since Debian's header: it needs a #define $name $name" >&2
        failed=1
    fi
done <$here/tables/constants.txt
echo "$(wc -l <"$temp/ours.txt") sizes, offsets and constants are the same"
exit $failed
