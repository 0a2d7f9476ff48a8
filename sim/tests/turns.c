/*
 * Two of these are hosts of one world. Each sleeps often, in threads and in a wait that also
 * watches a pipe to itself, and makes threads that end at once; so nearly every step wakes a thread
 * of the other process. Prints a number that every step and its time goes into.
 */

#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 500, THREADS = 2, MAKE_EVERY = 25 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t sum;

static void note(uint64_t who) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    pthread_mutex_lock(&lock);
    sum = sum * 31 + who + (uint64_t)now.tv_nsec;
    pthread_mutex_unlock(&lock);
}

static void* sleep_often(void* who) {
    for (int i = 0; i < ROUNDS; i++) {
        usleep((useconds_t)(700 + (uintptr_t)who));
        note((uintptr_t)who);
    }
    return NULL;
}

static void* end_at_once(void* who) {
    note((uintptr_t)who);
    return NULL;
}

int main(void) {
    int pair[2];
    pthread_t threads[THREADS], short_one;
    if (pipe(pair) != 0)
        return 1;
    for (uintptr_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, sleep_often, (void*)(i + 1)) != 0)
            return 1;
    for (int i = 0; i < ROUNDS; i++) {
        struct pollfd own = {.fd = pair[0], .events = POLLIN};
        poll(&own, 1, 1);
        note(0);
        if (i % MAKE_EVERY == 0 &&
            (pthread_create(&short_one, NULL, end_at_once, (void*)(uintptr_t)(THREADS + i)) != 0 ||
             pthread_join(short_one, NULL) != 0))
            return 1;
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%llx\n", (unsigned long long)sum);
    return 0;
}
