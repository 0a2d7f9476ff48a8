#include <string.h>

#include "waiter.h"

int go_group_init(go_group_t* group, uv_loop_t* loop) {
    memset(group, 0, sizeof(*group));
    go__list_init(GO__LIST(&group->members));
    group->owner = go_self();
    group->loop = loop != NULL ? loop : go_loop();
    if (group->loop == NULL)
        return UV_EINVAL;
    if (group->owner != NULL)
        group->owner->groups++;
    return 0;
}

int go_group_start_with(go_group_t* group, const go_options_t* options, go_fn fn, void* arg) {
    if (group->loop == NULL || fn == NULL)
        return UV_EINVAL;
    if (group->cancelled)
        return UV_ECANCELED;
    struct go__scheduler* s = go__scheduler_of(group->loop);
    return s != NULL ? go__begin(s, options, fn, arg, group, NULL) : UV_ENOMEM;
}

int go_group_start(go_group_t* group, go_fn fn, void* arg) {
    return go_group_start_with(group, NULL, fn, arg);
}

void go__group_enter(go_t* go) {
    go__list_add(GO__LIST(&go->group->members), &go->in_group);
}

/* Nobody runs meanwhile: the list stays as it is. */
static void cancel_members(go_group_t* group, int why) {
    struct go_link* members = GO__LIST(&group->members);
    if (group->cancelled)
        return;
    group->cancelled = 1;
    group->error = why;
    for (struct go_link* link = members->next; link != members; link = link->next) {
        go_t* go = GO_OF(link, go_t, in_group);
        go->cancelled = 1;
        if (go->state == GO__WAITING && go->shields == 0)
            go__interrupt(go, UV_ECANCELED);
    }
}

void go__group_leave(go_t* go, int result) {
    go_group_t* group = go->group;
    go__list_remove(&go->in_group);
    if (result < 0)
        cancel_members(group, result);
    if (group->waiter != NULL && go__list_empty(GO__LIST(&group->members))) {
        go_t* waiter = group->waiter;
        group->waiter = NULL;
        go__ready(waiter, 0);
    }
}

void go_group_cancel(go_group_t* group) {
    cancel_members(group, UV_ECANCELED);
    if (group->loop != NULL)
        go__run(go__scheduler_of(group->loop));
}

static bool cancel_and_stay(void* data, int why) {
    go_group_t* group = data;
    cancel_members(group, why);
    return go__list_empty(GO__LIST(&group->members));
}

int go_group_wait(go_group_t* group, uint64_t deadline) {
    struct go__scheduler* s = group->loop != NULL ? go__on(group->loop) : NULL;
    if (s == NULL || group->waiter != NULL || (group->owner != NULL && group->owner != s->current))
        return UV_EINVAL;
    if (!go__list_empty(GO__LIST(&group->members))) {
        group->waiter = s->current;
        go__suspend(s, "group", cancel_and_stay, group, deadline);
        group->waiter = NULL;
    }
    if (group->owner != NULL) {
        group->owner->groups--;
        group->owner = NULL;
        group->loop = NULL; /* over */
    }
    return group->error;
}
