#!/usr/bin/env bash
# gdb shows a coroutine's calls down to its first function and no further; valgrind finds nothing.
set -euo pipefail
build=$1
program=$build/tests/go_seen
cat >"$program.c" <<'END'
#include <phasor_go.h>
#include <stdlib.h>
#include <string.h>

static __attribute__((noinline)) void innermost(void) {
    __asm__ volatile("");
}

static __attribute__((noinline)) int middle(char* text) {
    innermost();
    return text[0] == 0;
}

static int outermost(void* arg) {
    char* text = calloc(1, 100);
    go_sleep(1);
    int result = middle(text);
    free(text);
    (void)arg;
    return result - 1;
}

static int many(void* arg) {
    go_group_t group;
    go_group_init(&group, NULL);
    for (int i = 0; i < 100; i++)
        go_group_start(&group, outermost, arg);
    return go_group_wait(&group, GO_NEVER);
}

int main(void) {
    return go_main(many, NULL);
}
END
gcc -g -O1 -Ilib/include -Igo/include "$program.c" -o "$program" -L"$build/lib" -lphasor_go -luv \
    -Wl,-rpath,"$(realpath "$build/lib")" -pthread
"$program"
ran=no
if command -v gdb >/dev/null; then
    ran=yes
    output=$(DEBUGINFOD_URLS='' gdb -batch -nx -ex 'break innermost' -ex run -ex bt "$program" 2>&1)
    for name in innermost middle outermost run_coroutine go__enter; do
        grep -Eq "^#[0-9].* $name \(" <<<"$output" || { echo "no $name: $output" >&2; exit 1; }
    done
    ! grep -Eq 'corrupt|Backtrace stopped|\?\? \(\)' <<<"$output" || { echo "$output" >&2; exit 1; }
fi
if command -v valgrind >/dev/null; then
    ran=yes
    valgrind -q --error-exitcode=1 --leak-check=full "$program" || exit 1
fi
[ $ran = yes ] || { echo "skipped: neither gdb nor valgrind is installed"; exit 77; }
