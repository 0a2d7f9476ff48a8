#ifndef PH_TOOLS_WATCH_INSIDE_H
#define PH_TOOLS_WATCH_INSIDE_H

/* The parts of watching: files that are followed (watch.c), moments that are kept (watch_moment.c),
 * figures (watch_metrics.c). */

#include <limits.h>

#include "live/follow.h"
#include "live/watch.h"

struct watched {
    struct follow follow;
    char path[PATH_MAX];
    char* program; /* for OpenTelemetry: known when the recording has begun */
    char* command;
};

/* A stall that is worth keeping. */
struct kept {
    char path[PATH_MAX]; /* of the recording */
    char loop[32];
    uint32_t pid;
    uint64_t from; /* times of the recording */
    uint64_t to;
    uint64_t lag;
    uint64_t wall; /* ns since 1970, of the beginning */
    bool goes_on;
};

struct watch {
    const struct watch_options* options;
    char recording[PATH_MAX];
    struct watched** all;
    size_t count;
    uint64_t began;     /* ns since 1970 */
    struct kept next;   /* the longest that was not kept yet; lag 0: none */
    uint64_t last_from; /* of the one that was kept last, and when that was: */
    uint64_t last_kept;
    uint64_t moments;
    uint64_t last_sent; /* when a collector was told of the figures */
    pid_t writer;       /* the child that writes a moment; 0: none */
    pid_t sender;
};

/* In a child: writes it, says so on standard error, and tells the collector. */
void watch_keep(const struct watch_options* options, const struct kept* kept);
/* In a child: the figures of each process. */
void watch_send_metrics(const struct watch* watch);
uint64_t watch_clock(void);
uint64_t watch_wall_clock(void);

#endif
