#ifndef GO_WAITING_H
#define GO_WAITING_H

/* The inside of every wait and every wake, for what hands over often (channels) to have it inline;
 * the others call go__suspend and go__ready. */

#include "trace.h"

static inline void go__push(struct go__scheduler* s, go_t* go) {
    go->state = GO__READY;
    go->next = NULL;
    if (s->ready_first == NULL)
        s->ready_first = go;
    else
        s->ready_last->next = go;
    s->ready_last = go;
}

/* NULL: the loop is next. */
static inline go_t* go__pop(struct go__scheduler* s) {
    go_t* go = s->starters;
    if (go != NULL) {
        s->starters = go->next;
        return go;
    }
    go = s->ready_first;
    if (go == NULL || s->budget-- <= 0)
        return NULL;
    s->ready_first = go->next;
    return go;
}

static inline struct go__context* go__context_of(struct go__scheduler* s, go_t* go) {
    return go != NULL ? &go->context : &s->main;
}

/* From the running coroutine to whoever is next. */
static inline void go__switch_away(struct go__scheduler* s, go_t* from, bool last) {
    go_t* to = go__pop(s);
    go__stack_check(from);
    if (to == from) {
        to->state = GO__RUNNING;
        return;
    }
    s->current = to;
    if (to != NULL)
        to->state = GO__RUNNING;
    go__context_switch(&from->context, go__context_of(s, to), last);
}

static inline go_suspends int go__suspend_inline(struct go__scheduler* s, const char* what,
                                                 go__abandon abandon, void* data,
                                                 uint64_t deadline) {
    go_t* go = s->current;
    int why = 0;
    if (go->cancelled && go->shields == 0)
        why = UV_ECANCELED;
    else if (deadline != GO_NEVER && deadline <= uv_now(s->loop))
        why = UV_ETIMEDOUT;
    if (why != 0 && (abandon == NULL || abandon(data, why)))
        return why;
    go->what = what;
    go->abandon = abandon;
    go->data = data;
    go->state = GO__WAITING;
    if (why == 0 && deadline != GO_NEVER)
        go__due_add(s, go, deadline);
    bool told = go__trace(go, GO__WAITS, what);
    go__switch_away(s, go, false);
    if (__builtin_expect(told, 0))
        go__trace(go, GO__RUNS, go->name);
    return go->status;
}

static inline void go__ready_inline(go_t* go, int status) {
    if (go->timed)
        go__due_remove(go->scheduler, go);
    go->status = status;
    go->what = NULL;
    go__push(go->scheduler, go);
}

#endif
