/* Another thread wakes the loop. Wake-ups that arrive before the callback has run become one call,
 * so the news itself travels in memory that both share. */

#include "must.h"

enum { MESSAGES = 1000 };

static uv_async_t async;
static uv_thread_t thread;
static uv_mutex_t lock;
static int sent;

static void producer(void* argument) {
    (void)argument;
    for (int i = 0; i < MESSAGES; i++) {
        uv_mutex_lock(&lock);
        sent++;
        uv_mutex_unlock(&lock);
        must(uv_async_send(&async), "send"); /* the one function that another thread may call */
    }
}

static void on_wake_up(uv_async_t* handle) {
    static int calls;
    uv_mutex_lock(&lock);
    int seen = sent;
    uv_mutex_unlock(&lock);
    calls++;
    if (seen < MESSAGES)
        return;
    printf("%d messages, %s calls\n", seen, calls <= MESSAGES ? "as many or fewer" : "more");
    /* Its last send must be over before the handle is closed. */
    must(uv_thread_join(&thread), "join");
    uv_close((uv_handle_t*)handle, NULL);
}

int main(void) {
    uv_loop_t* loop = uv_default_loop();
    must(uv_mutex_init(&lock), "lock");
    must(uv_async_init(loop, &async, on_wake_up), "async");
    must(uv_thread_create(&thread, producer, NULL), "thread");
    uv_run(loop, UV_RUN_DEFAULT);
    uv_mutex_destroy(&lock);
    return close_loop(loop);
}
