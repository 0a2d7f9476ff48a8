/* Threads that wait for each other in each way that the library has; prints who went on, and when.
 */

#include <stdio.h>

#include "uv.h"

enum { WAITERS = 4, HOUR_MS = 3600 * 1000 };

static uv_mutex_t mutex;
static uv_cond_t condition;
static uv_sem_t semaphore;
static uv_barrier_t barrier;
static int waiting;
static int turns;

static void say(const char* what, int number) {
    printf("%d h: %s %d\n", (int)((uv_hrtime() - 1000000000000) / 1000000 / HOUR_MS), what, number);
}

static void wait_for_turn(void* argument) {
    int number = *(int*)argument;
    uv_sem_wait(&semaphore);
    say("semaphore", number);
    uv_mutex_lock(&mutex);
    waiting++;
    while (turns == 0)
        uv_cond_wait(&condition, &mutex);
    turns--;
    uv_mutex_unlock(&mutex);
    say("condition", number);
    uv_barrier_wait(&barrier);
}

static void wait_for_time(void* argument) {
    uv_mutex_lock(&mutex);
    int err = uv_cond_timedwait(&condition, &mutex, 5ull * HOUR_MS * 1000000);
    uv_mutex_unlock(&mutex);
    say(err == UV_ETIMEDOUT ? "timeout" : "signal", *(int*)argument);
}

static void run_and_join(void (*run)(void*), int count) {
    uv_thread_t threads[WAITERS];
    int numbers[WAITERS];
    for (int i = 0; i < count; i++) {
        numbers[i] = i;
        uv_thread_create(&threads[i], run, &numbers[i]);
    }
    for (int i = 0; i < count; i++) {
        uv_sleep(HOUR_MS);
        uv_sem_post(&semaphore);
    }
    for (int i = 0; i < count && run == wait_for_turn; i++) {
        uv_sleep(HOUR_MS);
        uv_mutex_lock(&mutex);
        turns++;
        uv_mutex_unlock(&mutex);
        uv_cond_signal(&condition);
    }
    for (int i = 0; i < count; i++)
        uv_thread_join(&threads[i]);
    say("joined", count);
}

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    uv_mutex_init(&mutex);
    uv_cond_init(&condition);
    uv_sem_init(&semaphore, 0);
    uv_barrier_init(&barrier, WAITERS);
    run_and_join(wait_for_turn, WAITERS);
    run_and_join(wait_for_time, 1);
    uv_run(&loop, UV_RUN_DEFAULT);
    return uv_loop_close(&loop);
}
