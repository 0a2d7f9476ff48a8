#!/usr/bin/env bash
# Threads that sleep and wait past the library: their sleeps end late, what they do takes time, and
# they are interrupted after their waits and at their locks. What is locked well passes.
. sim/tests/world.bash
[ "$(uname -m)" = x86_64 ] || { echo "threads are run step by step on x86-64 only"; exit 77; }
cat >sale.c <<'CODE'
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seats = 1, sold, well, ready;
static void* sell(void* nothing) {
    usleep(1000);
    usleep(1000);
    pthread_mutex_lock(&lock);
    int left = seats;
    if (!well) {
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
    }
    if (left > 0) {
        seats--;
        sold++;
    }
    pthread_mutex_unlock(&lock);
    return nothing;
}
static void* prepare(void* nothing) {
    usleep(5000);
    ready = 1;
    return nothing;
}
int main(int argc, char** argv) {
    pthread_t threads[3];
    well = argc > 1 && strcmp(argv[1], "well") == 0;
    if (argc > 1 && strcmp(argv[1], "late") == 0) {
        pthread_create(&threads[0], NULL, prepare, NULL);
        usleep(9000);
        return !ready;
    }
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, sell, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return sold != 1;
}
CODE
"${CC:-gcc}" -O1 -pthread sale.c -o sale
for how in "" late; do
    status=0
    sim --seeds 1000 --no-shrink ./sale $how >out 2>err || status=$?
    [ $status = 1 ] || { cat out err >&2; fail "\"$how\": status $status, not 1"; }
done
sim --seeds 60 ./sale well >out 2>err || { cat err >&2; fail "what is locked well fails"; }
sim -v --seed 3 ./sale well 2>&1 | grep -v 'virtual time' >expected
sim -v --seed 3 ./sale well 2>&1 | grep -v 'virtual time' >again
same expected again "the same seed interrupts elsewhere"
