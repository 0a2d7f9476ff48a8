#include "watch.h"

#include <stdlib.h>

static size_t bucket_of(const struct go__scheduler* s, const void* handle, enum go__kind kind) {
    uint64_t key = ((uint64_t)(uintptr_t)handle >> 3) * GO__KINDS + kind;
    return (size_t)((key * 0x9E3779B97F4A7C15u) >> 32) & (s->watch_room - 1);
}

struct go__watch* go__watch_search(struct go__scheduler* s, const void* handle,
                                   enum go__kind kind) {
    if (s->watch_count == 0)
        return NULL;
    struct go__watch* watch = s->watches[bucket_of(s, handle, kind)];
    while (watch != NULL && (watch->handle != handle || watch->kind != kind))
        watch = watch->next;
    if (watch != NULL)
        s->last_watch = watch;
    return watch;
}

static int make_room(struct go__scheduler* s) {
    size_t old_room = s->watch_room;
    if (s->watch_count < old_room)
        return 0;
    struct go__watch** old = s->watches;
    size_t room = old_room == 0 ? 64 : old_room * 2;
    struct go__watch** watches = calloc(room, sizeof(*watches));
    if (watches == NULL)
        return UV_ENOMEM;
    s->watches = watches;
    s->watch_room = room;
    for (size_t i = 0; i < old_room; i++) {
        for (struct go__watch *watch = old[i], *next; watch != NULL; watch = next) {
            struct go__watch** place = &watches[bucket_of(s, watch->handle, watch->kind)];
            next = watch->next;
            watch->next = *place;
            *place = watch;
        }
    }
    free(old);
    return 0;
}

struct go__watch* go__watch_get(struct go__scheduler* s, const void* handle, enum go__kind kind) {
    struct go__watch* watch = go__watch_find(s, handle, kind);
    if (watch != NULL)
        return watch;
    if (make_room(s) != 0)
        return NULL;
    watch = s->free_watches;
    if (watch != NULL)
        s->free_watches = watch->next;
    else if ((watch = aligned_alloc(64, sizeof(*watch))) == NULL)
        return NULL;
    struct go__watch** place = &s->watches[bucket_of(s, handle, kind)];
    watch->handle = handle;
    watch->kind = kind;
    watch->active = false;
    go__list_init(&watch->waiters);
    watch->next = *place;
    *place = watch;
    s->watch_count++;
    s->writers += kind == GO__WRITE;
    s->last_watch = watch;
    return watch;
}

void go__watch_drop(struct go__scheduler* s, struct go__watch* watch) {
    struct go__watch** place = &s->watches[bucket_of(s, watch->handle, watch->kind)];
    while (*place != watch)
        place = &(*place)->next;
    *place = watch->next;
    if (s->last_watch == watch)
        s->last_watch = NULL;
    s->watch_count--;
    s->writers -= watch->kind == GO__WRITE;
    watch->next = s->free_watches;
    s->free_watches = watch;
}

void go__watches_free(struct go__scheduler* s) {
    for (struct go__watch* watch; (watch = s->free_watches) != NULL;) {
        s->free_watches = watch->next;
        free(watch);
    }
    for (size_t i = 0; i < s->watch_room; i++) {
        for (struct go__watch* watch; (watch = s->watches[i]) != NULL;) {
            s->watches[i] = watch->next;
            free(watch);
        }
    }
    free(s->watches);
}
