#include "thread/pool_parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/mailbox.h"
#include "hooks.h"
#include "thread/work_queue.h"

enum { LONGEST_SIZE = 15 }; /* characters: libuv does not look at longer ones */

/* A negative number is a very large one, as in libuv. */
unsigned ph_pool_size(void) {
    const char* value = getenv("UV_THREADPOOL_SIZE");
    if (value == NULL || strlen(value) > LONGEST_SIZE)
        return PH_POOL_DEFAULT;
    unsigned count = (unsigned)strtol(value, NULL, 10);
    return count == 0 ? 1 : count > PH_POOL_MOST ? PH_POOL_MOST : count;
}

int ph_work_take_back(struct uv__work* work) {
    switch (ph_work_queue_cancel(work)) {
    case PH_TOO_LATE:
        return UV_EBUSY;
    case PH_CANCELLED_BEFORE:
        return 0;
    case PH_CANCELLED:
        break;
    }
    ph_tell_work(PH_WORK_CANCELLED, NULL, work);
    work->state = (uintptr_t)UV_ECANCELED;
    ph_mailbox_push(&work->loop->internal.mailbox.finished, work, (void**)&work->next);
    ph_mailbox_wake(work->loop);
    return 0;
}
