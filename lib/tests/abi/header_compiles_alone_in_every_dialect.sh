#!/usr/bin/env bash
# The headers need no other include before them and draw no warning, in C89 to C23 and C++98 to
# C++23, by every gcc and clang that is installed; phasor.h with the coroutines and without.
. lib/tests/abi/common.bash
failed=0
headers=(uv.h phasor.h "phasor.h -Igo/include")
try() { # try COMPILER LANGUAGE OPTION...
    local compiler=$1 language=$2
    shift 2
    local header more
    for header in "${headers[@]}"; do
        read -r header more <<<"$header"
        echo "#include <$header>" | "$compiler" -x "$language" "$@" -Ilib/include $more \
            -Wall -Wextra -Wundef -Werror -fsyntax-only - ||
            { echo "fails: $compiler -x $language $* $more with <$header>" >&2; failed=1; }
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
# Older and newer ones, and strict ones that ask for no more than the language.
every_dialect() { # every_dialect C_COMPILER C++_COMPILER
    local standard
    for standard in c89 gnu89 c99 c17 c2x; do
        try "$1" c -std=$standard -Wpedantic
    done
    for standard in c++98 c++11 c++17 c++2b; do
        try "$2" c++ -std=$standard -Wpedantic
    done
}
every_dialect gcc g++
every_dialect clang clang++
headers=("phasor.h -Igo/include") # it includes all
for compiler in $(compgen -c | grep -E '^(gcc|clang)-[0-9]+$' | sort -u); do
    cplusplus=$(sed 's/^gcc/g++/; s/^clang/clang++/' <<<"$compiler")
    command -v "$cplusplus" >/dev/null || cplusplus=$compiler
    default=$(realpath "$(command -v "${compiler%-*}")")
    [ "$(realpath "$(command -v "$compiler")")" = "$default" ] ||
        every_dialect "$compiler" "$cplusplus"
done
# Twice, and next to the headers that programs include around it.
for order in '#include <uv.h>\n#include <uv.h>' '#include <unistd.h>\n#include <uv.h>' \
    '#include <uv.h>\n#include <sys/epoll.h>\n#include <unistd.h>'; do
    echo -e "$order" | gcc -x c -Ilib/include -Wall -Wextra -Werror -fsyntax-only - || failed=1
done
exit $failed
