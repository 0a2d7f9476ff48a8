#ifndef PH_TOOLS_STUCK_H
#define PH_TOOLS_STUCK_H

/* A process none of whose loops turns: they sleep, or are inside of callbacks. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "recording.h"

/* Loops that sleep go on for an iteration. */
void stuck_wake(pid_t pid);

/* Where a loop is: the functions of its thread, innermost first. */
enum { STUCK_FRAMES = 6, STUCK_NAME = 200 };

struct stuck_place {
    pid_t tid;
    bool asleep;       /* in poll */
    bool in_loop;      /* uv_run is further out */
    bool in_allocator; /* or in the loader: nothing may be called there */
    unsigned count;    /* of the frames, up to the callback that the loop called */
    char frames[STUCK_FRAMES][STUCK_NAME];
};

/* Stops each thread for a moment. Returns how many have loops, at most `most`; 0 where stacks can't
 * be read. */
size_t stuck_places(pid_t pid, struct stuck_place* places, size_t most);
/* "The loop on thread 12 is inside spin (app.c:3), called by on_timer (app.c:9)." for each. */
void stuck_say(pid_t pid, FILE* out);

/* A stopped thread handles neither memory nor libraries, as far as its stack can be followed. */
bool stuck_holds_nothing(pid_t pid, pid_t tid);
/* Lets a thread that is in a callback obey the command that was given. */
void stuck_obey(pid_t pid, const struct ph_trace_control* control);
/* What a thread that is stopped is to call: addresses there. */
struct stuck_call {
    uint64_t function;
    uint64_t stack; /* its upper end; 0: its own stack, so many bytes below what it uses: */
    uint64_t below;
    uint64_t arguments[2];
};
/* It calls the function, and is as it was before. `result` may be NULL. */
bool stuck_call(pid_t tid, const struct stuck_call* wanted, uint64_t* result);

struct stuck_registers {
    uint64_t pc;
    uint64_t stack;
    int64_t system_call; /* that it is in; -1: none */
};
bool stuck_registers(pid_t tid, struct stuck_registers* registers);
/* At most `most`; the first one is the main thread. */
size_t stuck_threads(pid_t pid, pid_t* threads, size_t most);

/* For whoever looks into a stopped thread; `call` is called while it stands still. */
bool stuck_stop(pid_t tid);
void stuck_go_on(pid_t tid);

#endif
