/* Actors: a coroutine that takes one message after the other from its mailbox, and begins again
 * when it fails. */
#include "actor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

go_actor_t* go_actor_retain(go_actor_t* actor) {
    atomic_fetch_add(&actor->references, 1);
    return actor;
}

void go_actor_release(go_actor_t* actor) {
    if (actor == NULL || atomic_fetch_sub(&actor->references, 1) != 1)
        return;
    go_channel_free(actor->mailbox);
    go_channel_free(actor->over);
    uv_mutex_destroy(&actor->mutex);
    free(actor->state);
    free(actor);
}

static void free_message(struct go__message* message) {
    go_actor_release(message->other);
    free(message);
}

int go__actor_post(go_actor_t* actor, struct go__message* message) {
    int status = go_try_send(actor->mailbox, &message);
    if (status != 0)
        free_message(message);
    return status;
}

/* Senders of several threads one after the other: none sees room that another one takes. */
static int post_if_there_is_room(go_actor_t* actor, struct go__message* message) {
    int status = UV_EAGAIN;
    uv_mutex_lock(&actor->mutex);
    if (go_channel_count(actor->mailbox) < actor->options.mailbox)
        status = go__actor_post(actor, message);
    else
        free_message(message);
    uv_mutex_unlock(&actor->mutex);
    return status;
}

int go_actor_send(go_actor_t* actor, const void* data, size_t size) {
    struct go__message* message = malloc(sizeof(*message) + size);
    if (message == NULL)
        return UV_ENOMEM;
    *message = (struct go__message){GO__MESSAGE, NULL, 0, size};
    if (size > 0)
        memcpy(message->data, data, size);
    return actor->options.mailbox != 0 ? post_if_there_is_room(actor, message)
                                       : go__actor_post(actor, message);
}

/* One message; its result is the actor's. */
static go_suspends int take(go_actor_t* actor, struct go__message* message) {
    const go_actor_options_t* options = &actor->options;
    int result = message->kind == GO__LINKED_ENDED
                     ? options->linked_ended(actor, message->other, message->why)
                     : options->receive(actor, message->data, message->size);
    free_message(message);
    return result < 0 ? result : 0;
}

/* From begin to end. 0: it was stopped. */
static go_suspends int live(go_actor_t* actor) {
    const go_actor_options_t* options = &actor->options;
    struct go__message* message;
    memset(actor->state, 0, options->state_size);
    int result = options->begin != NULL ? options->begin(actor, options->arg) : 0;
    if (result > 0)
        result = 0;
    while (result == 0) {
        if (go_receive(actor->mailbox, &message, GO_NEVER) != 0)
            break; /* it was cancelled */
        result = take(actor, message);
    }
    if (actor->stopping || go_is_cancelled())
        result = 0; /* what failed for that reason is no failure */
    if (options->end != NULL) {
        go_shield();
        options->end(actor, result);
        go_unshield();
    }
    return result;
}

/* Whether it may begin again, after a pause. */
static go_suspends bool pause_and_retry(go_actor_t* actor) {
    const go_actor_options_t* options = &actor->options;
    uint64_t now = uv_now(go_loop());
    if (options->within_ms != 0 && now - actor->failures_since > options->within_ms)
        actor->failures = 0;
    if (actor->failures++ == 0)
        actor->failures_since = now;
    if (actor->failures > options->restarts)
        return false;
    uint64_t most = options->pause_most_ms != 0 ? options->pause_most_ms : GO_NEVER;
    uint64_t pause = options->pause_ms;
    for (unsigned i = 1; i < actor->failures && pause < most && pause != 0; i++)
        pause = pause > GO_NEVER / 2 ? GO_NEVER : pause * 2;
    return go_sleep(pause < most ? pause : most) == 0;
}

static void end_for_good(go_actor_t* actor, int result) {
    struct go__message* message;
    uv_mutex_lock(&actor->mutex);
    actor->ended = true;
    if (result < 0)
        actor->why = result;
    int why = actor->why;
    uv_mutex_unlock(&actor->mutex);
    actor->go = NULL;
    go__actor_name_give(actor);
    go_channel_close(actor->mailbox);
    while (go_try_receive(actor->mailbox, &message) == 0)
        free_message(message);
    go__actor_links_end(actor, why);
    go_channel_close(actor->over);
    go_actor_release(actor);
}

static int run_actor(void* arg) {
    go_actor_t* actor = arg;
    int result;
    actor->go = go_self();
    do {
        result = actor->stopping ? 0 : live(actor);
    } while (result < 0 && pause_and_retry(actor));
    if (actor->stopping || go_is_cancelled())
        result = 0; /* stopped in the pause: it would have begun again */
    go_shield();
    end_for_good(actor, result);
    go_unshield();
    return 0;
}

static void on_stop(struct go__mail* mail) {
    go_actor_t* actor = GO_OF(mail, go_actor_t, stop);
    actor->stopping = true;
    if (actor->go != NULL)
        go_cancel(actor->go);
    go_actor_release(actor);
}

void go__actor_stop(go_actor_t* actor, int why) {
    uv_mutex_lock(&actor->mutex);
    if (!actor->ended && !actor->stop_sent) {
        actor->stop_sent = true;
        actor->why = why;
        go_actor_retain(actor);
        if (go__worker_mail(actor->worker, &actor->stop) != 0)
            atomic_fetch_sub(&actor->references, 1); /* the caller has one: it stays */
    }
    uv_mutex_unlock(&actor->mutex);
}

void go_actor_stop(go_actor_t* actor) {
    go__actor_stop(actor, 0);
}

int go_actor_wait(go_actor_t* actor, int* why, uint64_t deadline) {
    int status = go_receive(actor->over, NULL, deadline);
    if (status != UV_EOF)
        return status;
    uv_mutex_lock(&actor->mutex);
    if (why != NULL)
        *why = actor->why;
    uv_mutex_unlock(&actor->mutex);
    return 0;
}

static go_actor_t* new_actor(const go_actor_options_t* options) {
    go_actor_t* actor = calloc(1, sizeof(*actor));
    if (actor == NULL)
        return NULL;
    if (uv_mutex_init(&actor->mutex) != 0) {
        free(actor);
        return NULL;
    }
    actor->options = *options;
    actor->references = 1;
    actor->stop.run = on_stop;
    actor->state = calloc(1, options->state_size > 0 ? options->state_size : 1);
    actor->mailbox = go_channel_new_shared(sizeof(struct go__message*), GO_UNBOUNDED);
    actor->over = go_channel_new_shared(0, 0);
    if (options->name != NULL)
        snprintf(actor->name, sizeof(actor->name), "%s", options->name);
    actor->options.name = actor->name;
    if (actor->state == NULL || actor->mailbox == NULL || actor->over == NULL) {
        go_actor_release(actor);
        return NULL;
    }
    return actor;
}

int go_actor_start(go_workers_t* workers, const go_actor_options_t* options, go_actor_t** actor) {
    if (options->receive == NULL || options->worker > workers->count)
        return UV_EINVAL;
    go_actor_t* made = new_actor(options);
    if (made == NULL)
        return UV_ENOMEM;
    unsigned number = options->worker != 0 ? options->worker - 1
                                           : atomic_fetch_add(&workers->next, 1) % workers->count;
    made->worker = go__worker_pick(workers, number);
    int status = go__actor_name_take(made);
    if (status != 0) {
        go_actor_release(made);
        return status;
    }
    made->references = actor != NULL ? 2 : 1;
    go_options_t settings = {.name = made->name, .stack = options->stack};
    status = go_workers_go(workers, number, &settings, run_actor, made);
    if (status != 0) {
        go__actor_name_give(made);
        made->references = 1;
        go_actor_release(made);
    } else if (actor != NULL) {
        *actor = made;
    }
    return status;
}

void* go_actor_state(go_actor_t* self) {
    return self->state;
}

void* go_actor_arg(go_actor_t* self) {
    return self->options.arg;
}

const char* go_actor_name(const go_actor_t* actor) {
    return actor->name;
}
