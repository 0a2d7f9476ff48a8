#ifndef PH_TOOLS_TRACE_SHARES_H
#define PH_TOOLS_TRACE_SHARES_H

/*
 * How much of a span its thread was on a processor, or waited for one, from the accounts (type
 * ACCOUNT) of that thread. There is one wherever a thread was silent for PH_ACCOUNT_NS, and one at
 * most PH_ACCOUNT_MOST_NS before each event; between the last account and a moment the thread is
 * taken to have run, but for the time that it slept in poll.
 */

#include <stdbool.h>

#include "read/file.h"

/* One per thread. Times are as in the events, or since any fixed moment, but all alike. */
struct shares {
    bool known;
    bool waits_known;
    uint64_t time; /* of the last account */
    uint64_t ran;  /* ns so far, then */
    uint64_t waited;
    uint32_t waited_text; /* as it was in the event */
    uint64_t slept;       /* ns in poll since then */
    uint64_t called;      /* ns waited for a processor at the end of sleeping in poll, so far */
};

/* A moment on that thread. */
struct shares_mark {
    bool known;
    bool open; /* nothing is known after it yet */
    uint64_t time;
    uint64_t ran;
    uint64_t waited;
    uint64_t called;
};

/* Of a span, in ns; what is missing to its length was in system calls (or in poll). */
struct share {
    bool known;
    bool waits_known;
    uint64_t ran;
    uint64_t waited;
};

/* An account at `time`. The marks that are still to be ended, if there are any, learn from it. */
void shares_account(struct shares* shares, const struct trace_event* event, uint64_t time,
                    struct shares_mark* marks, size_t mark_count);
struct shares_mark shares_mark(const struct shares* shares, uint64_t time);
/* From the mark to `time`; without the waits in poll between them. */
struct share shares_since(const struct shares* shares, const struct shares_mark* mark,
                          uint64_t time);
/* The thread slept in poll from the mark to `time`. */
void shares_slept(struct shares* shares, const struct shares_mark* mark, uint64_t time);

#endif
