#ifndef PH_TOOLS_LIVE_H
#define PH_TOOLS_LIVE_H

/* A recording of a running process for a moment, in a folder that nobody else can enter. */

#include <limits.h>
#include <stdbool.h>

#include "live/attach_target.h"

struct live {
    struct target target;
    char folder[PATH_MAX - 16]; /* "": the process was being recorded already */
    char file[PATH_MAX];
    bool started;
};

/* `command` is who asks, `place` where the folder is made (NULL: with other temporary files),
 * `limit` that of the recording in bytes. False: `error` has a sentence without its full stop. */
bool live_begin(struct live* live, const char* command, const char* place, pid_t pid,
                uint64_t limit, char* error, size_t size);
/* Ends a recording of our own; the file stays. */
void live_end(struct live* live);
/* Removes it. */
void live_remove(struct live* live);

#endif
