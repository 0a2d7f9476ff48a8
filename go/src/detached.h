#ifndef GO_DETACHED_H
#define GO_DETACHED_H

/* Requests in memory of their own: whoever waits may leave, the callback frees them. */

#include "scheduler.h"

struct go__detached {
    go_t* go; /* NULL: nobody waits any more */
};

GO__HIDDEN bool go__detached_leave(void* data, int why);
/* From the request's callback; frees it. */
GO__HIDDEN void go__detached_end(struct go__detached* detached, int status);

#endif
