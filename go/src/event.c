/* Events, and what sets them: callbacks of requests and of handles. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "waiter.h"
#include "watch.h"

void go_event_init(go_event_t* event, int lasting) {
    memset(event, 0, sizeof(*event));
    go__list_init(GO__LIST(&event->waiters));
    event->lasting = lasting != 0;
}

int go__event_enter(struct go__scheduler* s, go_event_t* event) {
    if (event->handle == NULL)
        return 0;
    if (uv_is_closing(event->handle))
        return UV_EINVAL;
    struct go__watch* watch = go__watch_get(s, event->handle, GO__EVENT);
    if (watch == NULL)
        return UV_ENOMEM;
    watch->event = event;
    return 0;
}

static void forget_if_nobody_waits(struct go__scheduler* s, const go_event_t* event) {
    if (event->handle == NULL || event->waiters.next != &event->waiters)
        return;
    struct go__watch* watch = go__watch_find(s, event->handle, GO__EVENT);
    if (watch != NULL)
        go__watch_drop(s, watch);
}

/* Who is out of the list was woken: the event may be gone since. */
void go__event_leave(struct go__scheduler* s, go_event_t* event, struct go_link* place) {
    if (go__list_empty(place))
        return;
    go__list_remove(place);
    forget_if_nobody_waits(s, event);
}

void go_event_set(go_event_t* event, int status) {
    struct go_link* list = GO__LIST(&event->waiters);
    event->status = status;
    event->set = event->lasting || go__list_empty(list);
    if (go__list_empty(list))
        return;
    struct go__scheduler* s = ((struct go__waiter*)list->next)->go->scheduler;
    go__wake_all(list, status);
    forget_if_nobody_waits(s, event);
    go__run(s);
}

void go_event_reset(go_event_t* event) {
    event->set = 0;
}

struct event_wait {
    struct go__waiter waiter; /* first */
    go_event_t* event;
};

static bool leave_event(void* data, int why) {
    struct event_wait* wait = data;
    (void)why;
    go__event_leave(wait->waiter.go->scheduler, wait->event, &wait->waiter.link);
    return true;
}

int go_event_wait(go_event_t* event, uint64_t deadline) {
    struct go__scheduler* s = go__here();
    if (s == NULL)
        return UV_EINVAL;
    if (event->set && !(s->current->cancelled && s->current->shields == 0)) {
        event->set = event->lasting;
        return event->status;
    }
    int status = go__event_enter(s, event);
    if (status != 0)
        return status;
    struct event_wait wait = {{.go = s->current}, event};
    go__list_add(GO__LIST(&event->waiters), &wait.waiter.link);
    return go__suspend(s, "event", leave_event, &wait, deadline);
}

struct request_wait {
    struct go__waiter waiter; /* first */
    uv_req_t* request;
    int why;
};

static bool take_back(void* data, int why) {
    struct request_wait* wait = data;
    uv_cancel(wait->request);
    wait->why = why;
    return false;
}

int go_request_wait(uv_req_t* request, go_event_t* event, uint64_t deadline) {
    struct go__scheduler* s = go__here();
    if (s == NULL)
        return UV_EINVAL;
    if (event->set)
        return event->status;
    struct request_wait wait = {{.go = s->current}, request, 0};
    go__list_add(GO__LIST(&event->waiters), &wait.waiter.link);
    int status = go__suspend(s, "request", take_back, &wait, deadline);
    return status == UV_ECANCELED && wait.why != 0 ? wait.why : status;
}

void go_on_write(uv_write_t* request, int status) {
    go_event_set(request->data, status);
}

void go_on_connect(uv_connect_t* request, int status) {
    go_event_set(request->data, status);
}

void go_on_shutdown(uv_shutdown_t* request, int status) {
    go_event_set(request->data, status);
}

void go_on_udp_send(uv_udp_send_t* request, int status) {
    go_event_set(request->data, status);
}

void go_on_fs(uv_fs_t* request) {
    go_event_set(request->data, request->result > INT_MAX ? INT_MAX : (int)request->result);
}

void go_on_work(uv_work_t* request, int status) {
    go_event_set(request->data, status);
}

void go_on_random(uv_random_t* request, int status, void* buffer, size_t size) {
    (void)buffer, (void)size;
    go_event_set(request->data, status);
}

/* Closing. */

static void on_close(uv_handle_t* handle) {
    struct go__scheduler* s = go__scheduler_of(handle->loop);
    struct go__watch* watch = go__watch_find(s, handle, GO__CLOSE);
    go__wake_all(&watch->waiters, 0);
    go__watch_drop(s, watch);
    go__run(s);
}

static bool stay(void* data, int why) {
    (void)data, (void)why;
    return false;
}

static void end_waits(struct go__scheduler* s, const uv_handle_t* handle) {
    for (int kind = 0; kind < GO__CLOSE; kind++) {
        struct go__watch* watch = go__watch_find(s, handle, (enum go__kind)kind);
        if (watch == NULL)
            continue;
        go__wake_all(kind == GO__EVENT ? GO__LIST(&watch->event->waiters) : &watch->waiters,
                     UV_ECANCELED);
        if (kind != GO__WRITE) /* there, the one whose turn it is does it */
            go__watch_drop(s, watch);
    }
}

int go_close(uv_handle_t* handle) {
    struct go__scheduler* s = go__on(handle->loop);
    if (s == NULL)
        return UV_EINVAL;
    struct go__watch* watch = go__watch_find(s, handle, GO__CLOSE);
    if (watch == NULL) {
        if (uv_is_closing(handle))
            return UV_EINVAL;
        watch = go__watch_get(s, handle, GO__CLOSE);
        if (watch == NULL)
            return UV_ENOMEM;
        end_waits(s, handle);
        uv_close(handle, on_close);
    }
    struct go__waiter waiter = {.go = s->current};
    go__list_add(&watch->waiters, &waiter.link);
    return go__suspend(s, "close", stay, &waiter, GO_NEVER);
}

/* Handles with an event. */

static void on_process_exit(uv_process_t* process, int64_t exit_status, int term_signal) {
    go_process_t* child = GO_OF(process, go_process_t, uv);
    child->exit_status = exit_status;
    child->term_signal = term_signal;
    go_event_set(&child->ended, 0);
}

int go_spawn(uv_loop_t* loop, go_process_t* process, const uv_process_options_t* options) {
    uv_process_options_t changed = *options;
    changed.exit_cb = on_process_exit;
    go_event_init(&process->ended, 1);
    process->ended.handle = (const uv_handle_t*)&process->uv;
    return uv_spawn(loop, &process->uv, &changed);
}

int go_process_wait(go_process_t* process, int64_t* exit_status, int* term_signal,
                    uint64_t deadline) {
    int status = go_event_wait(&process->ended, deadline);
    if (status == 0 && exit_status != NULL)
        *exit_status = process->exit_status;
    if (status == 0 && term_signal != NULL)
        *term_signal = process->term_signal;
    return status;
}

static void on_signal(uv_signal_t* signal, int number) {
    (void)number;
    go_event_set(&GO_OF(signal, go_signal_t, uv)->caught, 0);
}

int go_signal_start(uv_loop_t* loop, go_signal_t* signal, int number) {
    go_event_init(&signal->caught, 0);
    signal->caught.handle = (const uv_handle_t*)&signal->uv;
    int status = uv_signal_init(loop, &signal->uv);
    return status != 0 ? status : uv_signal_start(&signal->uv, on_signal, number);
}

int go_signal_wait(go_signal_t* signal, uint64_t deadline) {
    return go_event_wait(&signal->caught, deadline);
}

static void on_tick(uv_timer_t* timer) {
    go_event_set(&GO_OF(timer, go_timer_t, uv)->ticked, 0);
}

int go_timer_start(uv_loop_t* loop, go_timer_t* timer, uint64_t ms, uint64_t repeat_ms) {
    go_event_init(&timer->ticked, 0);
    timer->ticked.handle = (const uv_handle_t*)&timer->uv;
    int status = uv_timer_init(loop, &timer->uv);
    return status != 0 ? status : uv_timer_start(&timer->uv, on_tick, ms, repeat_ms);
}

int go_timer_wait(go_timer_t* timer, uint64_t deadline) {
    return go_event_wait(&timer->ticked, deadline);
}

static void on_sent(uv_async_t* async) {
    go_event_set(&GO_OF(async, go_async_t, uv)->sent, 0);
}

int go_async_start(uv_loop_t* loop, go_async_t* async) {
    go_event_init(&async->sent, 0);
    async->sent.handle = (const uv_handle_t*)&async->uv;
    return uv_async_init(loop, &async->uv, on_sent);
}

int go_async_wait(go_async_t* async, uint64_t deadline) {
    return go_event_wait(&async->sent, deadline);
}
