#!/usr/bin/env bash
# What the recorder needs of the kernel is waited for by its own threads: no call of the program's
# threads takes long because a larger table of descriptors has to be made for it, which takes the
# kernel tens of ms where threads share one.
. trace/tests/common.bash
[ -z "$sanitizer" ] || skip "the sanitizer makes calls of its own"
command -v strace >/dev/null || skip "there is no strace"
cat >program.c <<'CODE'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#include <uv.h>
static uv_timer_t timer;
static int left = 40;
static void* sleeps(void* nothing) { sleep(60); return nothing; }
static void tick(uv_timer_t* handle) { if (--left == 0) uv_close((uv_handle_t*)handle, NULL); }
int main(void) {
    pthread_t other;
    printf("%d\n", (int)getpid());
    fflush(stdout);
    pthread_create(&other, NULL, sleeps, NULL);
    uv_timer_init(uv_default_loop(), &timer);
    uv_timer_start(&timer, tick, 1, 10);
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
CODE
"${CC:-gcc}" -I"$source/lib/include" program.c -o program -L"$build/lib" -l:libuv.so.1 -pthread
# A table as small as that of a program which was started by a shell.
export PHASOR_TRACE=$temp/file
strace -f -o calls -e trace=fcntl ./program >main ||
    skip "strace may not look into programs here"
unset PHASOR_TRACE
[ -s file ] || fail "nothing was recorded"
grep "F_DUPFD_CLOEXEC, 900) *= 9" calls >rooms || fail "nobody made room: $(cat calls)"
grep -q "^$(cat main) " rooms || fail "the program's thread keeps no descriptor: $(cat calls)"
# The writer, whose table is its own, may have been there before.
before=$(awk -v main="$(cat main)" '$1 == main { exit } !/fcntl\(0,/' rooms)
[ -n "$before" ] || fail "the program's thread made room: $(cat calls)"
