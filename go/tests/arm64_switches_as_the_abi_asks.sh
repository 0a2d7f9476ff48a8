#!/usr/bin/env bash
# The switch for arm64, in an emulator where this machine is another: what a function must keep is
# kept, values get across, and the stack is as it should be.
set -euo pipefail
build=$1/go-arm64
cc=aarch64-linux-gnu-gcc
run=qemu-aarch64
[ "$(uname -m)" != aarch64 ] || { cc=gcc run=env; }
command -v $cc $run >/dev/null || { echo "skipped: no compiler or emulator for arm64"; exit 77; }
mkdir -p "$build"
cat >"$build/test.c" <<'END'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "context.h"

static struct go__exceptions exceptions[2];
static struct go__context main_context = {.exceptions = &exceptions[0]};
static struct go__context other = {.exceptions = &exceptions[1]};
static int turns;

static __attribute__((noinline)) double sum(double a, double b, double c, double d, long n) {
    double e = a * 2, f = b * 3, g = c * 4, h = d * 5;
    long i = n, j = n * 2, k = n * 3, l = n * 5;
    struct go__context* mine = n == 1 ? &main_context : &other;
    struct go__context* theirs = n == 1 ? &other : &main_context;
    go__context_switch(mine, theirs, false);
    return a + b + c + d + e + f + g + h + (double)(i + j + k + l);
}

static void entry(void* arg) {
    if (arg != &turns || (uintptr_t)__builtin_frame_address(0) % 16 != 0)
        exit(2);
    for (;;) {
        turns++;
        if (sum(10, 20, 30, 40, 2) != 100 + 20 + 60 + 120 + 200 + 22)
            exit(3);
    }
}

int main(void) {
    char* stack = aligned_alloc(4096, 65536);
    go__context_make(&other, stack, 65536, entry, &turns);
    for (int i = 0; i < 1000; i++)
        if (sum(1, 2, 3, 4, 1) != 10 + 2 + 6 + 12 + 20 + 11)
            return 4;
    printf("%d\n", turns);
    return turns != 1000;
}
END
for level in -O0 -O2; do
    $cc -std=gnu11 -D_GNU_SOURCE -static $level -Igo/src "$build/test.c" go/src/context.c \
        go/src/context_aarch64.S -o "$build/test"
    $run "$build/test" >/dev/null
done
