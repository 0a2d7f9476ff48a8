#include "waiter.h"

#include "select.h"

bool go__waiter_abandon(void* data, int why) {
    struct go__waiter* waiter = data;
    (void)why;
    go__list_remove(&waiter->link);
    return true;
}

int go__wait_for(struct go__scheduler* s, struct go_link* list, const char* what, go_t* const* whom,
                 uint64_t deadline) {
    struct go__waiter waiter = {.go = s->current, .whom = whom};
    go__list_add(list, &waiter.link);
    return go__suspend(s, what, go__waiter_abandon, &waiter, deadline);
}

int go__wait_in(struct go__scheduler* s, struct go_link* list, const char* what,
                uint64_t deadline) {
    return go__wait_for(s, list, what, NULL, deadline);
}

const go_t* go__waits_for_whom(const go_t* go) {
    const struct go__waiter* waiter = go->data;
    return go->abandon == go__waiter_abandon && waiter->whom != NULL ? *waiter->whom : NULL;
}

void go__waiter_ready(struct go_link* link, int status) {
    struct go__waiter* waiter = (struct go__waiter*)link;
    if (waiter->selection == NULL)
        go__ready(waiter->go, status);
    else if (go__selection_claim(waiter->selection))
        go__selection_wake(waiter->selection, waiter->index, status);
}

void go__wake_all(struct go_link* list, int status) {
    for (struct go_link* link; (link = go__list_take(list)) != NULL;)
        go__waiter_ready(link, status);
}
