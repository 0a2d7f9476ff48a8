#include <stdlib.h>
#include <string.h>

#include "select.h"
#include "waiting.h"

enum { RECEIVE, SEND };

struct go_channel {
    struct go_link senders, receivers; /* offers; at most one of the lists has any */
    size_t item_size, capacity;
    size_t count, first, room; /* in the ring */
    char* ring;
    bool closed, shared;
    uv_mutex_t mutex; /* if it is shared */
};

static go_channel_t* new_channel(size_t item_size, size_t capacity, bool shared) {
    go_channel_t* channel = calloc(1, sizeof(*channel));
    if (channel == NULL)
        return NULL;
    go__list_init(&channel->senders);
    go__list_init(&channel->receivers);
    channel->item_size = item_size;
    channel->capacity = capacity;
    if (shared && uv_mutex_init(&channel->mutex) != 0) {
        free(channel);
        return NULL;
    }
    channel->shared = shared;
    return channel;
}

go_channel_t* go_channel_new(size_t item_size, size_t capacity) {
    return new_channel(item_size, capacity, false);
}

go_channel_t* go_channel_new_shared(size_t item_size, size_t capacity) {
    return new_channel(item_size, capacity, true);
}

void go_channel_free(go_channel_t* channel) {
    if (channel == NULL)
        return;
    if (channel->shared)
        uv_mutex_destroy(&channel->mutex);
    free(channel->ring);
    free(channel);
}

static inline void lock(go_channel_t* channel) {
    if (channel->shared)
        uv_mutex_lock(&channel->mutex);
}

static inline void unlock(go_channel_t* channel) {
    if (channel->shared)
        uv_mutex_unlock(&channel->mutex);
}

bool go__channel_is_shared(const go_channel_t* channel) {
    return channel->shared;
}

/* Whom a callback has woken, for go__channel_run. */
static __thread struct go__scheduler* woken __attribute__((tls_model("initial-exec")));

void go__channel_run(void) {
    struct go__scheduler* s = woken;
    if (s != NULL && go__here() == NULL) {
        woken = NULL;
        go__run(s);
    }
}

static inline void finish(struct go__offer* offer, int status) {
    struct go__selection* selection = offer->waiter.selection;
    if (selection == NULL || !selection->shared) {
        struct go__scheduler* s = offer->waiter.go->scheduler;
        if (s->current == NULL) /* a callback of the loop */
            woken = s;
    }
    if (selection != NULL)
        go__selection_wake(selection, offer->waiter.index, status);
    else
        go__ready_inline(offer->waiter.go, status);
}

/* The first in the list who still waits, out of the list and claimed. */
static inline struct go__offer* take_partner(struct go_link* list,
                                             const struct go__selection* self) {
    for (struct go_link *link = list->next, *next; link != list; link = next) {
        struct go__offer* offer = (struct go__offer*)link;
        struct go__selection* selection = offer->waiter.selection;
        next = link->next;
        if (selection != NULL && selection == self)
            continue;
        go__list_remove(link);
        if (selection == NULL || go__selection_claim(selection))
            return offer;
    }
    return NULL;
}

static inline char* place(const go_channel_t* channel, size_t index) {
    size_t at = channel->first + index;
    return channel->ring + (at < channel->room ? at : at - channel->room) * channel->item_size;
}

/* Room for one more in the ring. It grows up to the capacity. */
static int make_room(go_channel_t* channel) {
    if (channel->count < channel->room)
        return 0;
    size_t room = channel->room == 0 ? 16 : channel->room * 2;
    if (room > channel->capacity)
        room = channel->capacity;
    size_t item_size = channel->item_size > 0 ? channel->item_size : 1;
    char* ring = room < SIZE_MAX / item_size ? malloc(room * item_size) : NULL;
    if (ring == NULL)
        return UV_ENOMEM;
    for (size_t i = 0; i < channel->count; i++)
        memcpy(ring + i * channel->item_size, place(channel, i), channel->item_size);
    free(channel->ring);
    channel->ring = ring;
    channel->room = room;
    channel->first = 0;
    return 0;
}

static inline void copy(const go_channel_t* channel, void* to, const void* from) {
    if (channel->item_size == sizeof(void*))
        memcpy(to, from, sizeof(void*));
    else if (channel->item_size > 0)
        memcpy(to, from, channel->item_size);
}

static inline bool try_send(go_channel_t* channel, const void* item,
                            const struct go__selection* self, int* status) {
    struct go__offer* receiver;
    *status = 0;
    if (channel->closed) {
        *status = UV_EPIPE;
    } else if ((receiver = take_partner(&channel->receivers, self)) != NULL) {
        copy(channel, receiver->item, item);
        finish(receiver, 0);
    } else if (channel->count < channel->capacity) {
        *status = make_room(channel);
        if (*status == 0)
            copy(channel, place(channel, channel->count++), item);
    } else {
        return false;
    }
    return true;
}

static inline bool try_receive(go_channel_t* channel, void* item, const struct go__selection* self,
                               int* status) {
    struct go__offer* sender;
    *status = 0;
    if (channel->count > 0) {
        copy(channel, item, place(channel, 0));
        channel->first = channel->first + 1 < channel->room ? channel->first + 1 : 0;
        channel->count--;
        if ((sender = take_partner(&channel->senders, self)) != NULL) {
            copy(channel, place(channel, channel->count++), sender->item);
            finish(sender, 0);
        }
    } else if ((sender = take_partner(&channel->senders, self)) != NULL) {
        copy(channel, item, sender->item);
        finish(sender, 0);
    } else if (channel->closed) {
        *status = UV_EOF;
    } else {
        return false;
    }
    return true;
}

static bool try_case(go_case_t* one, const struct go__selection* self) {
    go_channel_t* channel = one->thing;
    return one->kind == SEND ? try_send(channel, one->item, self, &one->status)
                             : try_receive(channel, one->item, self, &one->status);
}

bool go__channel_try(go_case_t* one, const struct go__selection* self) {
    lock(one->thing);
    bool done = try_case(one, self);
    unlock(one->thing);
    return done;
}

/* Whether try_case would do something. */
static bool is_possible(const go_case_t* one, const struct go__selection* self) {
    const go_channel_t* channel = one->thing;
    const struct go_link* partners = one->kind == SEND ? &channel->receivers : &channel->senders;
    if (channel->closed ||
        (one->kind == SEND ? channel->count < channel->capacity : channel->count > 0))
        return true;
    for (const struct go_link* link = partners->next; link != partners; link = link->next)
        if (((const struct go__offer*)link)->waiter.selection != self)
            return true;
    return false;
}

enum go__queued go__channel_queue(go_case_t* one, struct go__offer* offer) {
    go_channel_t* channel = one->thing;
    struct go__selection* self = offer->waiter.selection;
    enum go__queued result = GO__QUEUED;
    lock(channel);
    if (!is_possible(one, self))
        go__list_add(one->kind == SEND ? &channel->senders : &channel->receivers,
                     &offer->waiter.link);
    else if (!go__selection_claim(self))
        result = GO__TAKEN;
    else
        result = try_case(one, self) ? GO__DONE : GO__AGAIN;
    unlock(channel);
    return result;
}

void go__channel_leave(const go_case_t* one, struct go__offer* offer) {
    lock(one->thing);
    go__list_remove(&offer->waiter.link);
    unlock(one->thing);
}

/* The channel of one loop: no selection is needed. */
static inline go_suspends int wait_here(struct go__scheduler* s, go_channel_t* channel, int kind,
                                        void* item, uint64_t deadline) {
    struct go__offer offer = {{.go = s->current}, item};
    go__list_add(kind == SEND ? &channel->senders : &channel->receivers, &offer.waiter.link);
    return go__suspend_inline(s, kind == SEND ? "send" : "receive", go__waiter_abandon, &offer,
                              deadline);
}

static int try_once(go_channel_t* channel, int kind, void* item) {
    go_case_t one = {kind, channel, item, 0};
    if (!go__channel_try(&one, NULL))
        return UV_EAGAIN;
    go__channel_run();
    return one.status;
}

int go_try_send(go_channel_t* channel, const void* item) {
    return try_once(channel, SEND, (void*)item);
}

int go_try_receive(go_channel_t* channel, void* item) {
    return try_once(channel, RECEIVE, item);
}

/* Once for each kind: this is the inside of every hand-over. */
static inline __attribute__((always_inline)) go_suspends int
transfer(go_channel_t* channel, int kind, void* item, uint64_t deadline) {
    struct go__scheduler* s = go__here();
    int status;
    if (s != NULL && s->current->cancelled && s->current->shields == 0)
        return UV_ECANCELED;
    lock(channel);
    bool done = kind == SEND ? try_send(channel, item, NULL, &status)
                             : try_receive(channel, item, NULL, &status);
    unlock(channel);
    if (done) {
        if (s == NULL)
            go__channel_run();
        return status;
    }
    if (deadline == GO_NOW)
        return UV_ETIMEDOUT;
    if (channel->shared) {
        go_case_t one = {kind, channel, item, 0};
        int index = go_select(&one, 1, deadline);
        return index < 0 ? index : one.status;
    }
    return s != NULL ? wait_here(s, channel, kind, item, deadline) : UV_EINVAL;
}

int go_send(go_channel_t* channel, const void* item, uint64_t deadline) {
    return transfer(channel, SEND, (void*)item, deadline);
}

int go_receive(go_channel_t* channel, void* item, uint64_t deadline) {
    return transfer(channel, RECEIVE, item, deadline);
}

void go_channel_close(go_channel_t* channel) {
    struct go__offer* offer;
    lock(channel);
    channel->closed = true;
    while ((offer = take_partner(&channel->receivers, NULL)) != NULL)
        finish(offer, UV_EOF);
    while ((offer = take_partner(&channel->senders, NULL)) != NULL)
        finish(offer, UV_EPIPE);
    unlock(channel);
    go__channel_run();
}

size_t go_channel_count(go_channel_t* channel) {
    lock(channel);
    size_t count = channel->count;
    unlock(channel);
    return count;
}
