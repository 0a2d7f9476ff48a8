#ifndef PH_BASE_QUEUE_H
#define PH_BASE_QUEUE_H

/* Intrusive circular lists over struct uv__queue. An unlinked node points to itself. */

#include <stdbool.h>
#include <stddef.h>

#include "uv.h"

#define PH_CONTAINER_OF(ptr, type, member) ((type*)((char*)(ptr)-offsetof(type, member)))

static inline void ph_queue_init(struct uv__queue* q) {
    q->next = q;
    q->prev = q;
}

static inline bool ph_queue_empty(const struct uv__queue* q) {
    return q->next == q;
}

static inline void ph_queue_push(struct uv__queue* head, struct uv__queue* node) {
    node->next = head;
    node->prev = head->prev;
    node->prev->next = node;
    head->prev = node;
}

static inline void ph_queue_push_front(struct uv__queue* head, struct uv__queue* node) {
    ph_queue_push(head->next, node);
}

/* Leaves the node pointing to itself, so that a second removal is harmless. */
static inline void ph_queue_remove(struct uv__queue* node) {
    node->prev->next = node->next;
    node->next->prev = node->prev;
    ph_queue_init(node);
}

/* NULL when empty. */
static inline struct uv__queue* ph_queue_pop(struct uv__queue* head) {
    struct uv__queue* node = head->next;
    if (node == head)
        return NULL;
    ph_queue_remove(node);
    return node;
}

/* Moves everything in `from` to the end of `to`. */
static inline void ph_queue_append(struct uv__queue* to, struct uv__queue* from) {
    if (ph_queue_empty(from))
        return;
    from->next->prev = to->prev;
    to->prev->next = from->next;
    from->prev->next = to;
    to->prev = from->prev;
    ph_queue_init(from);
}

/* `to` need not be initialised. Walking a moved list is safe against changes to the original. */
static inline void ph_queue_move(struct uv__queue* to, struct uv__queue* from) {
    ph_queue_init(to);
    ph_queue_append(to, from);
}

#endif
