#!/usr/bin/env bash
# compilers_of_every_release_build_the_library.sh BUILD [SUITE...]: in a system of each release,
# every gcc and clang that it has builds the library without a warning, a program runs on it, and
# the headers are clean in every dialect. With the newest of each also -O0, LTO and hardening.
. tests/packaging/common.bash
shift
suites=("$@")
[ $# -gt 0 ] || suites=(bullseye bookworm trixie forky)
cat >"$temp/program.c" <<'END'
#include <stdio.h>
#include <uv.h>
static int ran;
static void on_work(uv_work_t* work) { (void)work; }
static void on_done(uv_work_t* work, int status) { (void)work; ran += status == 0; }
static void on_timer(uv_timer_t* timer) { ran++; uv_close((uv_handle_t*)timer, NULL); }
int main(void) {
    uv_timer_t timer;
    uv_work_t work;
    uv_timer_init(uv_default_loop(), &timer);
    uv_timer_start(&timer, on_timer, 1, 0);
    uv_queue_work(uv_default_loop(), &work, on_work, on_done);
    uv_run(uv_default_loop(), UV_RUN_DEFAULT);
    puts(ran == 2 ? "it runs" : "it does not run");
    return 0;
}
END
# Runs in the system: every file of the library by one compiler, in one go.
cat >"$temp/build.sh" <<'END'
set -eu
compiler=$1 name=$2
shift 2
out=/out/$compiler-$name
mkdir -p "$out"
cd "$out"
# Two files of different folders may have one name.
export compiler
find /sources/lib -path '/sources/lib/*/*.c' ! -path '*/tests/*' ! -path '*/cmake/*' \
    ! -name poll.c -printf '%P\n' | xargs -P 2 -I FILE sh -c 'file=$1; shift
    exec "$compiler" -std=gnu11 -O2 -g0 -fPIC -fvisibility=hidden \
        -Wall -Wextra -Werror -Wstrict-prototypes -Wmissing-prototypes -fno-strict-aliasing \
        -D_GNU_SOURCE -I/sources/lib -I/sources/lib/include "$@" \
        -c "/sources/lib/$file" -o "$(echo "$file" | tr / _).o"' sh FILE "$@"
"$compiler" "$@" -shared -Wl,-soname,libuv.so.1 -Wl,-Bsymbolic-functions -Wl,-z,defs \
    -Wl,-z,now -Wl,-z,relro \
    *.o -o libuv.so.1 -lpthread -ldl
rm -f *.o
"$compiler" -Wall -Wextra -Werror -I/sources/lib/include /program.c -o program ./libuv.so.1 \
    -Wl,-rpath,"$out" -lpthread
./program
END
# And what every one of them says about the headers.
cat >"$temp/headers.sh" <<'END'
set -u
compiler=$1 failed=0
for standard in c89 gnu89 c99 c11 c17 c18 c2x c23 c++98 c++11 c++14 c++17 c++20 c++2b c++23; do
    language=c
    case $standard in c++*) language=c++ ;; esac
    echo 'int main(void) { return 0; }' |
        "$compiler" -x $language -std=$standard -fsyntax-only - 2>/dev/null || continue # unknown
    echo '#include <phasor.h>' | "$compiler" -x $language -std=$standard -Wall -Wextra -Wpedantic \
        -Werror -Wundef -I/sources/lib/include -I/sources/go/include -fsyntax-only - ||
        { echo "$compiler $standard"; failed=1; }
done
exit $failed
END
failed=""
for suite in "${suites[@]}"; do
    root=$temp/$suite
    new_system "$suite" "$root" libc6-dev binutils findutils
    mapfile -t compilers < <(inside "$root" apt-cache search --names-only '^(gcc|clang)-[0-9.]+$' |
        cut -d ' ' -f 1 | sort -V)
    for compiler in "${compilers[@]}"; do echo "$compiler"; done |
        sed 's/^gcc-/g++-/; s/^clang-.*//' | grep . >"$temp/more" || true
    logged inside "$root" apt-get install -qq --no-install-recommends "${compilers[@]}" \
        $(cat "$temp/more")
    mkdir -p "$root/sources/go" "$root/out"
    cp -r lib "$root/sources/"
    cp -r go/include "$root/sources/go/"
    cp "$temp/program.c" "$temp/build.sh" "$temp/headers.sh" "$root/"
    for compiler in "${compilers[@]}"; do
        # try NAME OPTION...
        try() {
            if inside "$root" sh /build.sh "$compiler" "$@" >"$temp/log" 2>&1 &&
                grep -q '^it runs$' "$temp/log"; then
                echo "$suite $compiler $1: builds and runs"
            else
                failed=yes
                echo "$suite $compiler $1: FAILED"
                head -n 20 "$temp/log"
            fi
        }
        try plain
        inside "$root" sh /headers.sh "$compiler" || failed=yes
    done
    newest=$(printf '%s\n' "${compilers[@]}" | sort -t- -k1,1 -k2,2Vr | sort -s -t- -u -k1,1)
    for compiler in $newest; do
        try O0 -O0
        case $compiler in gcc*) try lto -flto ;; esac
        try hardened -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong \
            -fstack-clash-protection $([ "$machine" != amd64 ] || echo -fcf-protection)
    done
    rm -rf --one-file-system "$root"
done
[ -z "$failed" ]
