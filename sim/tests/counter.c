/*
 * Pieces of the pool's work add to one counter: without a lock, with one that is left in between,
 * or (mended) with one around all of it. Status 1: something was lost.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uv.h"

enum { PIECES = 8, TIMES = 20 };

static volatile int counter;
static uv_mutex_t lock;
static const char* how;

static void add(void) {
    if (strcmp(how, "unlocked") == 0) {
        counter++;
    } else if (strcmp(how, "twice") == 0) {
        uv_mutex_lock(&lock);
        int seen = counter;
        uv_mutex_unlock(&lock);
        uv_mutex_lock(&lock);
        counter = seen + 1;
        uv_mutex_unlock(&lock);
    } else {
        uv_mutex_lock(&lock);
        counter++;
        uv_mutex_unlock(&lock);
    }
}

static void work(uv_work_t* request) {
    (void)request;
    for (int i = 0; i < TIMES; i++)
        add();
}

static void done(uv_work_t* request, int status) {
    (void)request;
    (void)status;
}

int main(int argc, char** argv) {
    static uv_work_t pieces[PIECES];
    how = argc > 1 ? argv[1] : "mended";
    uv_mutex_init(&lock);
    for (int i = 0; i < PIECES; i++)
        uv_queue_work(uv_default_loop(), &pieces[i], work, done);
    uv_run(uv_default_loop(), UV_RUN_DEFAULT);
    if (counter != PIECES * TIMES)
        fprintf(stderr, "%d of %d\n", counter, PIECES * TIMES);
    return counter != PIECES * TIMES;
}
