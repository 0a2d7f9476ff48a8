/* What a program does with coroutines: starting, joining, cancelling, names; loops' beginning and
 * end. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace.h"
#include "waiter.h"
#include "watch.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct go__scheduler* schedulers; /* under the lock */
atomic_uint go__closed;
__thread struct go__last go__last;

static struct go__scheduler* new_scheduler(uv_loop_t* loop) {
    struct go__scheduler* s = calloc(1, sizeof(*s));
    if (s == NULL)
        return NULL;
    go__trace_look();
    if (go__page == 0)
        go__page = (size_t)sysconf(_SC_PAGESIZE);
    s->loop = loop;
    s->main.exceptions = &s->exceptions;
    s->armed = UINT64_MAX;
    s->thread = pthread_self();
    s->next = schedulers;
    schedulers = s;
    return s;
}

struct go__scheduler* go__scheduler_search(uv_loop_t* loop) {
    unsigned closed = atomic_load_explicit(&go__closed, memory_order_acquire);
    pthread_mutex_lock(&lock);
    struct go__scheduler* s = schedulers;
    while (s != NULL && s->loop != loop)
        s = s->next;
    if (s == NULL)
        s = new_scheduler(loop);
    pthread_mutex_unlock(&lock);
    if (s != NULL)
        go__last = (struct go__last){loop, s, closed};
    return s;
}

int go_start_with(uv_loop_t* loop, const go_options_t* options, go_fn fn, void* arg,
                  go_t** handle) {
    if (loop == NULL || fn == NULL)
        return UV_EINVAL;
    struct go__scheduler* s = go__scheduler_of(loop);
    return s != NULL ? go__begin(s, options, fn, arg, NULL, handle) : UV_ENOMEM;
}

int go_start(uv_loop_t* loop, go_fn fn, void* arg) {
    return go_start_with(loop, NULL, fn, arg, NULL);
}

void go_release(go_t* handle) {
    handle->held = 0;
    if (handle->state == GO__ENDED)
        go__stack_give(handle);
}

int go_join(go_t* handle, int* result, uint64_t deadline) {
    struct go__scheduler* s = go__on(handle->scheduler->loop);
    int status = 0;
    if (s == NULL || handle == s->current)
        return UV_EINVAL;
    if (handle->state != GO__ENDED)
        status = go__wait_for(s, &handle->joiners, "join", &handle, deadline);
    if (status == 0 && result != NULL)
        *result = handle->status;
    return status;
}

void go_cancel(go_t* handle) {
    if (handle->state == GO__ENDED)
        return;
    handle->cancelled = 1;
    if (handle->state == GO__WAITING && handle->shields == 0)
        go__interrupt(handle, UV_ECANCELED);
    go__run(handle->scheduler);
}

void go_shield(void) {
    struct go__scheduler* s = go__here();
    if (s != NULL)
        s->current->shields++;
}

void go_unshield(void) {
    struct go__scheduler* s = go__here();
    if (s != NULL && s->current->shields > 0)
        s->current->shields--;
}

int go_is_cancelled(void) {
    struct go__scheduler* s = go__here();
    return s != NULL && s->current->cancelled;
}

go_t* go_self(void) {
    struct go__scheduler* s = go__here();
    return s != NULL ? s->current : NULL;
}

uv_loop_t* go_loop(void) {
    struct go__scheduler* s = go__here();
    return s != NULL ? s->loop : NULL;
}

const char* go_name(const go_t* go) {
    return go->name;
}

void go_set_name(const char* name) {
    struct go__scheduler* s = go__here();
    if (s != NULL)
        snprintf(s->current->name, sizeof(s->current->name), "%s", name);
}

uint64_t go_after(uint64_t ms) {
    struct go__scheduler* s = go__here();
    uint64_t now = s != NULL ? uv_now(s->loop) : uv_hrtime() / 1000000;
    return ms < GO_NEVER - now ? now + ms : GO_NEVER;
}

size_t go_count(uv_loop_t* loop) {
    struct go__scheduler* s = go__scheduler_of(loop);
    return s != NULL ? s->live : 0;
}

struct visit {
    void (*visit)(go_t* go, const char* waits_for, void* arg);
    void* arg;
};

static void visit_one(go_t* go, void* data) {
    const struct visit* visit = data;
    if (go->state != GO__ENDED)
        visit->visit(go, go->state == GO__WAITING ? go->what : NULL, visit->arg);
}

void go_each(uv_loop_t* loop, void (*visit)(go_t* go, const char* waits_for, void* arg),
             void* arg) {
    struct go__scheduler* s = go__scheduler_of(loop);
    if (s != NULL)
        go__stacks_each(s, visit_one, &(struct visit){visit, arg});
}

void go_trim(uv_loop_t* loop) {
    struct go__scheduler* s = go__scheduler_of(loop);
    if (s != NULL && s->current == NULL)
        go__stack_trim(s, true);
}

static void on_closed(uv_handle_t* handle) {
    struct go__scheduler* s = handle->data;
    s->handles--;
}

/* True: the program has closed it, as one of all that uv_walk told it of. */
static bool close_handle(struct go__scheduler* s, bool there, uv_handle_t* handle) {
    if (!there)
        return false;
    if (uv_is_closing(handle)) {
        s->handles--;
        return true;
    }
    handle->data = s;
    uv_close(handle, on_closed);
    return false;
}

int go_loop_close(uv_loop_t* loop) {
    struct go__scheduler* s = go__scheduler_of(loop);
    if (s == NULL)
        return UV_ENOMEM;
    if (s->live > 0 || s->current != NULL)
        return UV_EBUSY;
    while (atomic_load_explicit(&s->senders, memory_order_acquire) != 0)
        sched_yield();
    bool closed = close_handle(s, s->has_timer, (uv_handle_t*)&s->timer);
    closed |= close_handle(s, s->has_trimmer, (uv_handle_t*)&s->trimmer);
    closed |= close_handle(s, s->has_turn, (uv_handle_t*)&s->turn);
    closed |= close_handle(s, s->has_async, (uv_handle_t*)&s->async);
    if (closed) /* and may still be at it */
        uv_run(loop, UV_RUN_NOWAIT);
    while (s->handles > 0)
        uv_run(loop, UV_RUN_NOWAIT);
    pthread_mutex_lock(&lock);
    struct go__scheduler** place = &schedulers;
    while (*place != s)
        place = &(*place)->next;
    *place = s->next;
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&go__closed, 1);
    go__stacks_free(s);
    go__watches_free(s);
    free(s->due);
    free(s);
    return 0;
}

static const char* name_of(const go_t* go) {
    return go->name[0] != '\0' ? go->name : "(no name)";
}

static void tell(go_t* go, const char* waits_for, void* arg) {
    const go_t* whom = waits_for != NULL ? go__waits_for_whom(go) : NULL;
    (void)arg;
    fprintf(stderr, "  coroutine \"%s\" waits for %s", name_of(go),
            waits_for != NULL ? waits_for : "its turn");
    if (whom != NULL)
        fprintf(stderr, " of \"%s\"", name_of(whom));
    fputc('\n', stderr);
}

static void cancel_one(go_t* go, void* arg) {
    (void)arg;
    if (go->state == GO__ENDED)
        return;
    go->cancelled = 1;
    if (go->state == GO__WAITING && go->shields == 0)
        go__interrupt(go, UV_ECANCELED);
}

void go__cancel_all(struct go__scheduler* s) {
    go__stacks_each(s, cancel_one, NULL);
    go__run(s);
}

void go__end_deadlock(struct go__scheduler* s) {
    fprintf(stderr, "phasor_go: deadlock, nothing can wake these:\n");
    go_each(s->loop, tell, NULL);
    go__cancel_all(s);
}

static int end_deadlock(struct go__scheduler* s) {
    go__end_deadlock(s);
    uv_run(s->loop, UV_RUN_DEFAULT);
    return UV_ECANCELED;
}

int go_main(go_fn fn, void* arg) {
    uv_loop_t loop;
    go_t* first = NULL;
    int result = uv_loop_init(&loop);
    if (result != 0)
        return result;
    result = go_start_with(&loop, &(go_options_t){.name = "main"}, fn, arg, &first);
    if (result == 0) {
        struct go__scheduler* s = go__scheduler_of(&loop);
        uv_run(&loop, UV_RUN_DEFAULT);
        int deadlock = s->live > 0 ? end_deadlock(s) : 0;
        if (s->live > 0)
            abort(); /* they are shielded, and the loop is about to go */
        result = deadlock != 0 ? deadlock : first->status;
        go_release(first);
    }
    int closing = go_loop_close(&loop);
    if (closing == 0)
        closing = uv_loop_close(&loop);
    return result != 0 ? result : closing;
}
