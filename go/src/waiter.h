#ifndef GO_WAITER_H
#define GO_WAITER_H

/* Coroutines that wait in a list, first come, first served. */

#include "scheduler.h"

struct go__selection;

struct go__waiter {
    struct go_link link; /* first */
    go_t* go;
    go_t* const* whom; /* who would end the wait, where that is one coroutine; NULL: not known */
    struct go__selection* selection; /* it waits for several things: select.h */
    int index;                       /* which of them this is */
};

/* For lists in public structs. */
#define GO__LIST(list) ((struct go_link*)(list))

/* Waits at the end of the list until somebody takes it out and makes it ready. */
GO__HIDDEN go_suspends int go__wait_in(struct go__scheduler* s, struct go_link* list,
                                       const char* what, uint64_t deadline);
/* The same for what one coroutine has, or will end. */
GO__HIDDEN go_suspends int go__wait_for(struct go__scheduler* s, struct go_link* list,
                                        const char* what, go_t* const* whom, uint64_t deadline);
/* NULL: that is not known. */
GO__HIDDEN const go_t* go__waits_for_whom(const go_t* go);
/* Makes the coroutine ready whose waiter was taken out of its list. */
GO__HIDDEN void go__waiter_ready(struct go_link* link, int status);
/* Around a place in the list of an event: go_close of its handle finds those who wait there.
 * UV_EINVAL: the handle is closed. */
GO__HIDDEN int go__event_enter(struct go__scheduler* s, go_event_t* event);
GO__HIDDEN void go__event_leave(struct go__scheduler* s, go_event_t* event, struct go_link* place);
/* Every one that is in the list. */
GO__HIDDEN void go__wake_all(struct go_link* list, int status);
/* For go__suspend, with the waiter as its data. */
GO__HIDDEN bool go__waiter_abandon(void* data, int why);

#endif
