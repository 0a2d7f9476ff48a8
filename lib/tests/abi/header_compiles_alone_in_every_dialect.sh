#!/usr/bin/env bash
# The headers need no other include before them and draw no warning, in the dialects of C and C++
# that libuv's own header works in; phasor.h with the coroutines and without.
. lib/tests/abi/common.bash
failed=0
try() { # try COMPILER LANGUAGE OPTION...
    local compiler=$1 language=$2
    shift 2
    local header
    for header in 'uv.h> //' 'phasor.h> //' 'phasor.h> // -Igo/include'; do
        echo "#include <$header" | "$compiler" -x "$language" "$@" -Ilib/include ${header#*//} \
            -Wall -Wextra -Wundef -Werror -fsyntax-only - ||
            { echo "fails: $compiler -x $language $* with <$header" >&2; failed=1; }
    done
}
for compiler in gcc clang; do
    for standard in c99 c11 c17; do
        try $compiler c -std=$standard -pedantic -D_GNU_SOURCE
        try $compiler c -std=$standard -pedantic -D_POSIX_C_SOURCE=200809L
        try $compiler c -std=$standard -pedantic -D_XOPEN_SOURCE=700
        try $compiler c -std=gnu${standard#c} -Wstrict-prototypes
    done
    for standard in 11 14 17 20; do
        try $compiler c++ -std=c++$standard -pedantic
        try $compiler c++ -std=gnu++$standard
    done
done
# Twice, and next to the headers that programs include around it.
for order in '#include <uv.h>\n#include <uv.h>' '#include <unistd.h>\n#include <uv.h>' \
    '#include <uv.h>\n#include <sys/epoll.h>\n#include <unistd.h>'; do
    echo -e "$order" | gcc -x c -Ilib/include -Wall -Wextra -Werror -fsyntax-only - || failed=1
done
exit $failed
