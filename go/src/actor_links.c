/* Names of actors, and links between them. */
#include <stdlib.h>
#include <string.h>

#include "actor.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static go_actor_t* named; /* under the lock */

static go_actor_t** place_of(const char* name) {
    go_actor_t** place = &named;
    while (*place != NULL && strcmp((*place)->name, name) != 0)
        place = &(*place)->next_named;
    return place;
}

int go__actor_name_take(go_actor_t* actor) {
    int status = UV_EEXIST;
    if (actor->name[0] == '\0')
        return 0;
    pthread_mutex_lock(&lock);
    if (*place_of(actor->name) == NULL) {
        actor->next_named = named;
        named = actor;
        status = 0;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

void go__actor_name_give(go_actor_t* actor) {
    if (actor->name[0] == '\0')
        return;
    pthread_mutex_lock(&lock);
    go_actor_t** place = place_of(actor->name);
    if (*place == actor)
        *place = actor->next_named;
    pthread_mutex_unlock(&lock);
}

go_actor_t* go_actor_find(const char* name) {
    pthread_mutex_lock(&lock);
    go_actor_t* actor = name[0] != '\0' ? *place_of(name) : NULL;
    if (actor != NULL)
        go_actor_retain(actor);
    pthread_mutex_unlock(&lock);
    return actor;
}

static bool has_ended(go_actor_t* actor) {
    uv_mutex_lock(&actor->mutex);
    bool ended = actor->ended;
    uv_mutex_unlock(&actor->mutex);
    return ended;
}

static void add_link(go_actor_t* to, go_actor_t* with, struct go__linked* linked) {
    linked->actor = go_actor_retain(with);
    linked->next = to->links;
    to->links = linked;
}

int go_actor_link(go_actor_t* actor, go_actor_t* other) {
    struct go__linked* one = malloc(sizeof(*one));
    struct go__linked* two = malloc(sizeof(*two));
    int status = actor == other ? UV_EINVAL : one == NULL || two == NULL ? UV_ENOMEM : 0;
    pthread_mutex_lock(&lock);
    /* Who ends does it before it looks at its links, under this lock. */
    if (status == 0 && (has_ended(actor) || has_ended(other)))
        status = UV_EPIPE;
    if (status == 0) {
        add_link(actor, other, one);
        add_link(other, actor, two);
    }
    pthread_mutex_unlock(&lock);
    if (status != 0) {
        free(one);
        free(two);
    }
    return status;
}

static void remove_link(go_actor_t* actor, const go_actor_t* other) {
    struct go__linked** place = &actor->links;
    while (*place != NULL && (*place)->actor != other)
        place = &(*place)->next;
    struct go__linked* found = *place;
    if (found == NULL)
        return;
    *place = found->next;
    go_actor_release(found->actor);
    free(found);
}

static void tell(go_actor_t* actor, go_actor_t* ended, int why) {
    if (actor->options.linked_ended == NULL) {
        if (why < 0)
            go__actor_stop(actor, why);
        return;
    }
    struct go__message* message = calloc(1, sizeof(*message));
    if (message == NULL) {
        go__actor_stop(actor, UV_ENOMEM); /* it can't be told: it ends rather than not knowing */
        return;
    }
    message->kind = GO__LINKED_ENDED;
    message->other = go_actor_retain(ended);
    message->why = why;
    go__actor_post(actor, message);
}

void go__actor_links_end(go_actor_t* actor, int why) {
    for (;;) {
        pthread_mutex_lock(&lock);
        struct go__linked* linked = actor->links;
        if (linked != NULL) {
            actor->links = linked->next;
            remove_link(linked->actor, actor);
        }
        pthread_mutex_unlock(&lock);
        if (linked == NULL)
            return;
        tell(linked->actor, actor, why);
        go_actor_release(linked->actor);
        free(linked);
    }
}
