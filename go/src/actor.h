#ifndef GO_ACTOR_H
#define GO_ACTOR_H

#include "workers.h"

enum go__message_kind { GO__MESSAGE, GO__LINKED_ENDED };

struct go__message {
    enum go__message_kind kind;
    go_actor_t* other; /* who has ended */
    int why;
    size_t size;
    char data[];
};

struct go__linked {
    struct go__linked* next;
    go_actor_t* actor; /* retained */
};

struct go_actor {
    go_actor_options_t options;
    char name[GO_NAME_SIZE];
    atomic_uint references;
    struct go__worker* worker;
    go_channel_t* mailbox; /* of struct go__message*, unbounded; closed at the end */
    go_channel_t* over;    /* closed at the end */
    uv_mutex_t mutex;
    bool ended;     /* under the mutex */
    bool stop_sent; /* under the mutex */
    int why;        /* under the mutex: how it ended, or shall end */
    struct go__mail stop;
    go_t* go;      /* on the worker's thread; NULL: it does not run */
    bool stopping; /* on the worker's thread */
    void* state;
    unsigned failures;
    uint64_t failures_since;
    go_actor_t* next_named;   /* under the lock of names and links */
    struct go__linked* links; /* the same */
};

/* Ends the actor, with why as its reason. */
GO__HIDDEN void go__actor_stop(go_actor_t* actor, int why);
GO__HIDDEN int go__actor_post(go_actor_t* actor, struct go__message* message);
/* names.c */
GO__HIDDEN int go__actor_name_take(go_actor_t* actor);
GO__HIDDEN void go__actor_name_give(go_actor_t* actor);
/* Tells those that it is linked with, and unlinks them. */
GO__HIDDEN void go__actor_links_end(go_actor_t* actor, int why);

#endif
