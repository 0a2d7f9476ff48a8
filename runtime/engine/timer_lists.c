#include "engine/timer_lists.h"

#include <stdlib.h>

static bool before(const ph_timer_list* a, const ph_timer_list* b) {
    return a->expiry != b->expiry ? a->expiry < b->expiry : a->order < b->order;
}

static void place(ph_timer_store* store, ph_timer_list* list, size_t position) {
    store->heap[position] = list;
    list->position = position;
}

static void sift_up(ph_timer_store* store, ph_timer_list* list) {
    size_t position = list->position;
    while (position > 0) {
        size_t parent = (position - 1) / 2;
        if (!before(list, store->heap[parent]))
            break;
        place(store, store->heap[parent], position);
        position = parent;
    }
    place(store, list, position);
}

static void sift_down(ph_timer_store* store, ph_timer_list* list) {
    size_t position = list->position;
    for (;;) {
        size_t child = position * 2 + 1;
        if (child >= store->count)
            break;
        if (child + 1 < store->count && before(store->heap[child + 1], store->heap[child]))
            child++;
        if (!before(store->heap[child], list))
            break;
        place(store, store->heap[child], position);
        position = child;
    }
    place(store, list, position);
}

static ph_timer_list** bucket_of(ph_timer_store* store, uint32_t duration) {
    return &store->buckets[(duration ^ (duration >> 8)) & 255];
}

static ph_timer_list* find_list(ph_timer_store* store, uint32_t duration) {
    ph_timer_list* list = *bucket_of(store, duration);
    while (list != NULL && list->duration != duration)
        list = list->next_in_bucket;
    return list;
}

static ph_timer_list* add_list(ph_timer_store* store, uint32_t duration, uint64_t expiry) {
    if (store->count == store->capacity) {
        size_t capacity = store->capacity == 0 ? 16 : store->capacity * 2;
        ph_timer_list** heap = realloc(store->heap, capacity * sizeof(ph_timer_list*));
        if (heap == NULL)
            return NULL;
        store->heap = heap;
        store->capacity = capacity;
    }
    ph_timer_list* list = calloc(1, sizeof(*list));
    if (list == NULL)
        return NULL;
    list->duration = duration;
    list->expiry = expiry;
    list->order = store->order++;
    ph_timer_list** bucket = bucket_of(store, duration);
    list->next_in_bucket = *bucket;
    *bucket = list;
    list->position = store->count++;
    sift_up(store, list);
    return list;
}

int ph_store_insert(ph_timer_store* store, ph_timeout* timeout, uint64_t start, bool* first) {
    ph_timer_list* list = find_list(store, timeout->duration);
    *first = list == NULL;
    if (list == NULL)
        list = add_list(store, timeout->duration, start + timeout->duration);
    if (list == NULL)
        return -1;
    timeout->start = start;
    timeout->list = list;
    timeout->next = NULL;
    timeout->prev = list->tail;
    if (list->tail == NULL)
        list->head = timeout;
    else
        list->tail->next = timeout;
    list->tail = timeout;
    return 0;
}

void ph_store_drop_if_empty(ph_timer_store* store, ph_timer_list* list) {
    if (list->head != NULL)
        return;
    ph_timer_list** link = bucket_of(store, list->duration);
    while (*link != list)
        link = &(*link)->next_in_bucket;
    *link = list->next_in_bucket;
    ph_timer_list* last = store->heap[--store->count];
    if (last != list) {
        place(store, last, list->position);
        sift_up(store, last);
        sift_down(store, last);
    }
    free(list);
}

static void unlink_timeout(ph_timeout* timeout) {
    ph_timer_list* list = timeout->list;
    if (timeout->prev == NULL)
        list->head = timeout->next;
    else
        timeout->prev->next = timeout->next;
    if (timeout->next == NULL)
        list->tail = timeout->prev;
    else
        timeout->next->prev = timeout->prev;
    timeout->list = NULL;
}

void ph_store_remove(ph_timer_store* store, ph_timeout* timeout) {
    ph_timer_list* list = timeout->list;
    unlink_timeout(timeout);
    ph_store_drop_if_empty(store, list);
}

void ph_store_postpone(ph_timer_store* store, ph_timer_list* list) {
    list->order = store->order++;
    sift_down(store, list);
}
