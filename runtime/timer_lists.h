// The store of timeouts: lists by duration, a heap of lists, a table from duration to list.
#ifndef PH_RUNTIME_TIMER_LISTS_H
#define PH_RUNTIME_TIMER_LISTS_H

#include "engine.h"

typedef struct ph_timer_list ph_timer_list;

typedef struct ph_timeout {
    struct ph_timeout* prev;
    struct ph_timeout* next;
    ph_timer_list* list; // NULL: not waiting
    uint64_t start;      // loop time, ms
    uint32_t duration;
    uint32_t repeat; // 0: once
    uint32_t id;
    bool referenced;
    bool destroyed; // it neither waits nor will be repeated
    bool cleared;
    bool running; // its callback is being called
    int argc;
    JSValue self; // held while it waits or runs
    JSValue function;
    JSValue context;
    JSValue* args;
} ph_timeout;

struct ph_timer_list {
    ph_timeout* head;
    ph_timeout* tail;
    ph_timer_list* next_in_bucket;
    uint64_t expiry;
    uint64_t order; // breaks ties between lists due at the same time
    uint32_t duration;
    size_t position; // in the heap
};

typedef struct {
    ph_timer_list** heap;
    size_t count;
    size_t capacity;
    ph_timer_list* buckets[256];
    uint64_t order;
} ph_timer_store;

// Appends; *first is set if its list was made for it. -1 if memory ran out.
int ph_store_insert(ph_timer_store* store, ph_timeout* timeout, uint64_t start, bool* first);
// Takes the timeout off its list and drops the list when that leaves it empty.
void ph_store_remove(ph_timer_store* store, ph_timeout* timeout);
// After the list's expiry has changed: puts it behind other lists due at the same time.
void ph_store_postpone(ph_timer_store* store, ph_timer_list* list);
void ph_store_drop_if_empty(ph_timer_store* store, ph_timer_list* list);

#endif
