#ifndef GO_LIST_H
#define GO_LIST_H

/* Circular lists through their members. A member that is in no list points to itself. */

#include <stdbool.h>
#include <stddef.h>

struct go_link {
    struct go_link* next;
    struct go_link* prev;
};

#define GO_OF(pointer, type, member) ((type*)((char*)(pointer)-offsetof(type, member)))

static inline void go__list_init(struct go_link* list) {
    list->next = list->prev = list;
}

static inline bool go__list_empty(const struct go_link* list) {
    return list->next == list;
}

static inline void go__list_add(struct go_link* list, struct go_link* item) {
    item->prev = list->prev;
    item->next = list;
    list->prev->next = item;
    list->prev = item;
}

static inline void go__list_remove(struct go_link* item) {
    item->prev->next = item->next;
    item->next->prev = item->prev;
    go__list_init(item);
}

static inline struct go_link* go__list_take(struct go_link* list) {
    struct go_link* first = list->next;
    if (first == list)
        return NULL;
    go__list_remove(first);
    return first;
}

#endif
