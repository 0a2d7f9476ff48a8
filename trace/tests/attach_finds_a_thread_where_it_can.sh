#!/usr/bin/env bash
# On a libuv that is not ours: a process whose loop waits in a system call of a callback is attached
# to there, and the call goes on; one that ends meanwhile is said to have.
. trace/tests/common.bash
[ "$(uname -m)" = x86_64 ] || skip "a thread can be made to call something on x86-64 only"
[ -z "$sanitizer" ] || skip "the recorder needs the sanitizer in the program"
compiler=${CC:-gcc}
theirs=/usr/lib/$($compiler -print-multiarch)/libuv.so.1
[ -e "$theirs" ] || skip "there is no other libuv"
unset LD_LIBRARY_PATH

cat >waits.c <<'CODE'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

static char way;

/* Comes to no place where it could be stopped, and ends after some turns of the waiting outside. */
__attribute__((noinline)) static void compute_until_told(void) {
    while (access("end", F_OK) != 0)
        continue;
    _exit(0);
}

static void on_timer(uv_timer_t* timer) {
    char byte = 0;
    volatile double half = 0.5;
    puts("ready");
    fflush(stdout);
    if (way == 'r' && read(STDIN_FILENO, &byte, 1) != 1)
        exit(1);
    if (way == 'w' && (fork() == 0 ? execlp("sh", "sh", "-c", "read line", NULL) : 1))
        wait(NULL);
    if (way == 'c')
        compute_until_told();
    printf("%.1f\n", half + half);
    uv_close((uv_handle_t*)timer, NULL);
}

int main(int argc, char** argv) {
    uv_timer_t timer;
    way = argc > 1 ? argv[1][0] : 'r';
    uv_timer_init(uv_default_loop(), &timer);
    uv_timer_start(&timer, on_timer, 1, 0);
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
CODE
"$compiler" -g -O1 -D_GNU_SOURCE -I"$source/lib/include" waits.c -o waits "$theirs"
mkfifo input

# begin WAY: in $process
begin() {
    : >"$1.out"
    ./waits "$1" >"$1.out" 2>&1 0<>input &
    process=$!
    children+=($process)
    wait_for 20 grep -q ready "$1.out"
}

for way in read wait; do
    begin $way
    if ! "$phasor" attach $process -o $way.trace 2>err; then
        says err "no permission to look into process $process"
        skip "this user may not look into its own processes"
    fi
    expect 0 "$phasor" attach $process --stop
    echo >input
    wait $process || fail "$way: it ended with $?: $(cat $way.out)"
    says $way.out 1.0
done

begin compute
"$phasor" attach $process -o compute.trace 2>err &
attaching=$!
sleep 0.2
touch end
status=0
wait $attaching || status=$?
[ $status = 1 ] || fail "attach ended with $status: $(cat err)"
grep -qE "process $process has ended|there is no process $process" err || fail "$(cat err)"
