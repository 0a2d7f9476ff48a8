/* Mutexes, conditions, semaphores and generators: for the coroutines of one loop. */
#include <string.h>

#include "waiter.h"

void go_mutex_init(go_mutex_t* mutex) {
    go__list_init(GO__LIST(&mutex->waiters));
    mutex->owner = NULL;
}

int go_mutex_lock(go_mutex_t* mutex, uint64_t deadline) {
    struct go__scheduler* s = go__here();
    if (s == NULL || mutex->owner == s->current)
        return UV_EINVAL;
    if (s->current->cancelled && s->current->shields == 0)
        return UV_ECANCELED;
    if (mutex->owner == NULL) {
        mutex->owner = s->current;
        return 0;
    }
    return go__wait_for(s, GO__LIST(&mutex->waiters), "mutex", &mutex->owner, deadline);
}

int go_mutex_unlock(go_mutex_t* mutex) {
    struct go__scheduler* s = go__here();
    if (s == NULL || mutex->owner != s->current)
        return UV_EPERM;
    struct go_link* next = go__list_take(GO__LIST(&mutex->waiters));
    mutex->owner = next != NULL ? ((struct go__waiter*)next)->go : NULL;
    if (next != NULL)
        go__waiter_ready(next, 0);
    return 0;
}

void go_condition_init(go_condition_t* condition) {
    go__list_init(GO__LIST(&condition->waiters));
}

int go_condition_wait(go_condition_t* condition, go_mutex_t* mutex, uint64_t deadline) {
    struct go__scheduler* s = go__here();
    if (s == NULL)
        return UV_EINVAL;
    int status = go_mutex_unlock(mutex);
    if (status != 0)
        return status;
    status = go__wait_in(s, GO__LIST(&condition->waiters), "condition", deadline);
    go_shield(); /* whoever waits has it again in any case */
    go_mutex_lock(mutex, GO_NEVER);
    go_unshield();
    return status;
}

void go_condition_signal(go_condition_t* condition) {
    struct go_link* link = go__list_take(GO__LIST(&condition->waiters));
    if (link == NULL)
        return;
    struct go__scheduler* s = ((struct go__waiter*)link)->go->scheduler;
    go__waiter_ready(link, 0);
    go__run(s);
}

void go_condition_broadcast(go_condition_t* condition) {
    struct go_link* list = GO__LIST(&condition->waiters);
    if (go__list_empty(list))
        return;
    struct go__scheduler* s = ((struct go__waiter*)list->next)->go->scheduler;
    go__wake_all(list, 0);
    go__run(s);
}

void go_semaphore_init(go_semaphore_t* semaphore, unsigned count) {
    go__list_init(GO__LIST(&semaphore->waiters));
    semaphore->count = count;
}

int go_semaphore_acquire(go_semaphore_t* semaphore, uint64_t deadline) {
    struct go__scheduler* s = go__here();
    if (s == NULL)
        return UV_EINVAL;
    if (s->current->cancelled && s->current->shields == 0)
        return UV_ECANCELED;
    if (semaphore->count > 0) {
        semaphore->count--;
        return 0;
    }
    return go__wait_in(s, GO__LIST(&semaphore->waiters), "semaphore", deadline);
}

void go_semaphore_release(go_semaphore_t* semaphore) {
    struct go_link* link = go__list_take(GO__LIST(&semaphore->waiters));
    if (link == NULL) {
        semaphore->count++;
        return;
    }
    struct go__scheduler* s = ((struct go__waiter*)link)->go->scheduler;
    go__waiter_ready(link, 0);
    go__run(s);
}

/* Generators: the consumer and the producer hand the turn to each other. */

void go_generator_init(go_generator_t* generator, void (*fn)(go_generator_t* generator, void* arg),
                       void* arg) {
    memset(generator, 0, sizeof(*generator));
    generator->fn = fn;
    generator->arg = arg;
}

static int run_generator(void* arg) {
    go_generator_t* generator = arg;
    generator->producer = go_self();
    generator->fn(generator, generator->arg);
    generator->ended = 1;
    generator->producer = NULL;
    if (generator->consumer != NULL)
        go__ready(generator->consumer, 0);
    return 0;
}

static bool leave_consumer(void* data, int why) {
    (void)why;
    ((go_generator_t*)data)->consumer = NULL;
    return true;
}

/* A generator that waits for something else meanwhile comes back to its consumer later. */
static go_suspends int let_produce(struct go__scheduler* s, go_generator_t* generator) {
    generator->consumer = s->current;
    if (generator->producer->state == GO__WAITING && generator->producer->data == generator)
        go__ready(generator->producer, 0);
    return go__suspend(s, "next item", leave_consumer, generator, GO_NEVER);
}

int go_next(go_generator_t* generator, void* item) {
    struct go__scheduler* s = go__here();
    int status = 0;
    if (s == NULL || generator->consumer != NULL)
        return UV_EINVAL;
    if (s->current->cancelled && s->current->shields == 0)
        return UV_ECANCELED;
    if (generator->ended)
        return 0;
    generator->item = item;
    if (!generator->started) {
        generator->started = 1;
        status = go_start_with(s->loop, &(go_options_t){.name = "generator"}, run_generator,
                               generator, NULL);
        if (status != 0) {
            generator->started = 0;
            return status;
        }
        if (generator->item != NULL && !generator->ended) {
            generator->consumer = s->current;
            status = go__suspend(s, "next item", leave_consumer, generator, GO_NEVER);
        }
    } else {
        status = let_produce(s, generator);
    }
    generator->consumer = NULL;
    bool given = generator->item == NULL;
    generator->item = NULL;
    if (given)
        return 1;
    return generator->ended ? 0 : status;
}

int go_give(go_generator_t* generator, const void* item, size_t size) {
    struct go__scheduler* s = go__here();
    if (s == NULL || s->current != generator->producer)
        return UV_EINVAL;
    if (s->current->cancelled && s->current->shields == 0)
        return UV_ECANCELED;
    while (generator->item == NULL) {
        /* Its consumer went away while it produced this one: it waits for the next who asks. */
        int status = go__suspend(s, "whoever wants the item", NULL, generator, GO_NEVER);
        if (status != 0)
            return status;
    }
    memcpy(generator->item, item, size);
    generator->item = NULL;
    if (generator->consumer != NULL)
        go__ready(generator->consumer, 0);
    generator->consumer = NULL;
    return go__suspend(s, "whoever wants the next item", NULL, generator, GO_NEVER);
}

void go_generator_end(go_generator_t* generator) {
    struct go__scheduler* s = go__here();
    if (s == NULL || !generator->started || generator->ended)
        return;
    generator->item = NULL;
    go_cancel(generator->producer);
    go_shield();
    while (!generator->ended) {
        generator->consumer = s->current;
        go__suspend(s, "end of a generator", leave_consumer, generator, GO_NEVER);
    }
    go_unshield();
    generator->consumer = NULL;
}
