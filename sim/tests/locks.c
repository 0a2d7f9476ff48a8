/*
 * Programs that have threads and nothing else, each with a defect that shows if they are
 * interrupted at the right place; with "mended" after its name, without. Ends with 1, or never,
 * when it shows.
 */

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

enum { THREADS = 3, ROUNDS = 3 };

static bool mended;
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static volatile int number;

static int run(void* (*work)(void*)) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, (void*)i) != 0)
            return -1;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return number;
}

/* Two locks, taken in either order. */
static void* cross(void* which) {
    long first = mended ? 0 : (long)which % 2;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&locks[first]);
        pthread_mutex_lock(&locks[1 - first]);
        number++;
        pthread_mutex_unlock(&locks[1 - first]);
        pthread_mutex_unlock(&locks[first]);
    }
    return NULL;
}

/* Asked with one lock, made with another. */
static void* make_once(void* unused) {
    static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    static volatile bool made;
    pthread_rwlock_rdlock(&lock);
    bool there = made;
    pthread_rwlock_unlock(&lock);
    if (there)
        return unused;
    pthread_rwlock_wrlock(&lock);
    if (!mended || !made)
        number++;
    made = true;
    pthread_rwlock_unlock(&lock);
    return unused;
}

/* A lock that spins, after a barrier, and signals that are blocked meanwhile. */
static pthread_spinlock_t spinning;
static pthread_barrier_t barrier;

static void* count(void* unused) {
    sigset_t all;
    sigfillset(&all);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < ROUNDS; i++) {
        pthread_sigmask(SIG_BLOCK, &all, NULL);
        if (mended)
            pthread_spin_lock(&spinning);
        number++;
        if (mended)
            pthread_spin_unlock(&spinning);
        pthread_sigmask(SIG_UNBLOCK, &all, NULL);
    }
    return unused;
}

/* A condition that is not asked again, with the threads of C11. */
static mtx_t lock;
static cnd_t changed;

static int take(void* unused) {
    (void)unused;
    mtx_lock(&lock);
    if (mended)
        while (number == 0)
            cnd_wait(&changed, &lock);
    else if (number == 0)
        cnd_wait(&changed, &lock); /* NOLINT: that is the defect */
    bool there = number-- > 0;
    mtx_unlock(&lock);
    return there;
}

static int put(void) {
    thrd_t threads[2];
    int sum = 0, took = 0;
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    for (int i = 0; i < 2; i++)
        thrd_create(&threads[i], take, NULL);
    for (int i = 0; i < 2; i++) {
        mtx_lock(&lock);
        number++;
        cnd_broadcast(&changed);
        mtx_unlock(&lock);
    }
    for (int i = 0; i < 2; i++) {
        thrd_join(threads[i], &took);
        sum += took;
    }
    return sum;
}

/* A thread ends; the first one waits for what nobody does any more. */
static void* end(void* unused) {
    pthread_mutex_lock(&locks[0]);
    return unused;
}

static int forget(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, end, NULL);
    pthread_join(thread, NULL);
    if (mended)
        return 0;
    pthread_mutex_lock(&locks[1]);
    pthread_mutex_lock(&locks[1]);
    return 1;
}

int main(int argc, char** argv) {
    const char* what = argc > 1 ? argv[1] : "";
    int expected = 0, got = 1;
    mended = argc > 2;
    pthread_spin_init(&spinning, PTHREAD_PROCESS_PRIVATE);
    pthread_barrier_init(&barrier, NULL, THREADS);
    if (strcmp(what, "cross") == 0)
        expected = THREADS * ROUNDS, got = run(cross);
    else if (strcmp(what, "once") == 0)
        expected = 1, got = run(make_once);
    else if (strcmp(what, "count") == 0)
        expected = THREADS * ROUNDS, got = run(count);
    else if (strcmp(what, "take") == 0)
        expected = 2, got = put();
    else if (strcmp(what, "forget") == 0)
        got = forget();
    if (got != expected)
        printf("%s: %d, not %d\n", what, got, expected);
    return got != expected;
}
