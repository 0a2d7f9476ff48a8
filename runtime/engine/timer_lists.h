/* The store of timeouts: lists by duration, a heap of lists, a table from duration to list. */
#ifndef PH_RUNTIME_TIMER_LISTS_H
#define PH_RUNTIME_TIMER_LISTS_H

#include "engine/engine.h"

typedef struct ph_timer_list ph_timer_list;

/* What few timeouts have. */
typedef struct {
    JSValue context;
    int argc;
    JSValue args[];
} ph_timeout_extra;

/* There may be a million of them, waiting for a long time: as small as can be. */
typedef struct ph_timeout {
    struct ph_timeout* prev;
    struct ph_timeout* next;
    ph_timer_list* list; /* NULL: not waiting */
    uint64_t start : 56; /* loop time, ms */
    bool repeats : 1;
    bool referenced : 1;
    bool destroyed : 1; /* it neither waits nor will be repeated */
    bool cleared : 1;
    bool running : 1; /* its callback is being called */
    uint32_t duration;
    uint32_t id;
    void* self; /* its object, held while it waits or runs; NULL: it can be made again */
    void* function;
    ph_timeout_extra* extra; /* or NULL */
} ph_timeout;

struct ph_timer_list {
    ph_timeout* head;
    ph_timeout* tail;
    ph_timer_list* next_in_bucket;
    uint64_t expiry;
    uint64_t order; /* breaks ties between lists due at the same time */
    uint32_t duration;
    size_t position; /* in the heap */
};

typedef struct {
    ph_timer_list** heap;
    size_t count;
    size_t capacity;
    ph_timer_list* buckets[256];
    uint64_t order;
} ph_timer_store;

/* Appends; *first is set if its list was made for it. -1 if memory ran out. */
int ph_store_insert(ph_timer_store* store, ph_timeout* timeout, uint64_t start, bool* first);
/* Takes the timeout off its list and drops the list when that leaves it empty. */
void ph_store_remove(ph_timer_store* store, ph_timeout* timeout);
/* After the list's expiry has changed: puts it behind other lists due at the same time. */
void ph_store_postpone(ph_timer_store* store, ph_timer_list* list);
void ph_store_drop_if_empty(ph_timer_store* store, ph_timer_list* list);

#endif
