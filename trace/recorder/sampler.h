#ifndef PH_TRACE_SAMPLER_H
#define PH_TRACE_SAMPLER_H

/*
 * Stacks of callbacks that run for long. A thread looks every few milliseconds at what the others
 * are in. Where one callback has been running for 10 ms it asks who runs in it: the engine of the
 * thread (v8.c, a runtime by phasor_trace_stack), which answers on the thread itself when it comes
 * by. Where none answers, the thread's stack is copied as it is (native.c, python.c).
 */

#include "recorder/recorder.h"
#include <phasor.h>

/* A stack on its way to the file: docs/TRACE_FORMAT.md, block 6. */
enum ph_stack_form {
    PH_STACK_NAMED = 1,
    PH_STACK_RAW,
    PH_STACK_BOTH,
    PH_STACK_AFTER,
    PH_STACK_COMPILED
};
enum { PH_STACK_ROOM = 16 << 10, PH_STACK_FRAMES = 64 };

struct ph_stack {
    size_t size;
    unsigned char data[PH_STACK_ROOM];
};

/* From the beginning of a recording to its end. */
void ph_sampler_start(void);
void ph_sampler_stop(void);
/* It rests: see rest.h. Safe in a signal handler. */
void ph_sampler_wake(void);
void ph_sampler_before_fork(void);
void ph_sampler_after_fork(bool child);
/* By the writer: `write` gets each stack that has come since the last time. */
void ph_sampler_write_out(void (*write)(const void* data, size_t size));

/* On the loop's own thread: which engine it is in; and that the program goes on between turns,
 * where it may wait for the loop's descriptor. */
void ph_sampler_turn_begins(void);
void ph_sampler_run_ends(bool may_wait);
/* The program is before its first turn, or after its last. Only an engine is asked there, if it is
 * Node's: handles are made while it is there, and closed before it is gone. */
void ph_sampler_goes_beyond(void);
void ph_sampler_sets_up(void);
void ph_sampler_takes_down(void);
/* The recording began while it was in a callback. */
void ph_sampler_is_inside(void);
/* The outermost callback has ended, and the sampler is just asking: until it has. */
void ph_sampler_wait(struct ph_buffer* buffer);

/* Of phasor.h: phasor_trace_stack_wanted and phasor_trace_stack. */
int ph_stack_wanted(void);
void ph_stack_told(const struct phasor_frame* frames, unsigned count);

/* For engines, on the thread that was asked: false if nobody wants to know any more. Where the
 * thread has run for long since it was asked, that was in what `late` says: PH_STACK_AFTER, native
 * code, which need not have been called by who runs now; PH_STACK_COMPILED, code of the engine's
 * own that does not answer; PH_STACK_NAMED: that makes no difference. */
bool ph_stack_begin(struct ph_stack* stack, enum ph_stack_form late);
/* The same for a thread that was not asked. */
void ph_stack_head(struct ph_stack* stack, int tid, uint64_t asked, uint64_t since,
                   enum ph_stack_form form);
/* Innermost first. `line` is where the function is written, 0 if that is not known. */
void ph_stack_frame(struct ph_stack* stack, const char* function, const char* file, unsigned line,
                    unsigned running);
void ph_stack_end(struct ph_stack* stack);

/* The engine that the calling thread is in, or NULL. Cheap. */
void* ph_v8_here(void);
/* From any thread, while the thread of the isolate is certainly in a callback. */
void ph_v8_ask(void* isolate);
/* Whether there is one. */
bool ph_v8_find(void);
/* It is Node's. */
bool ph_v8_is_node(void);
/* There is one that can't be asked: why. */
bool ph_v8_is_unknown(char* why, size_t size);

/* Where its frames are. */
void ph_v8_frames_find(void);
/* The functions of the isolate's thread, which stands still with these registers (the second one 0
 * if it is not known), in code that does not answer. Safe in a signal handler. False: they can't be
 * known. */
bool ph_v8_frames(void* isolate, uint64_t stack_pointer, uint64_t frame, struct ph_stack* stack);

void ph_python_find(void);
/* The state of the interpreter on the calling thread, or NULL. */
void* ph_python_here(void);
/* The frames of a thread that stands still. Safe in a signal handler. False: there are none. */
bool ph_python_frames(void* state, struct ph_stack* stack);

/* Calls into Lua are noted from now on, and no longer. */
void ph_lua_find(void);
void ph_lua_leave(void);
/* On a thread that may be in Lua, in a signal handler: it tells its stack as soon as it can. */
void ph_lua_ask(void);

/* On the sampler's thread, first. */
void ph_native_begin(void);
/* The stack of the buffer's thread as it is just now; false if that can't be had. `may_run`: also
 * if it is not in a system call. */
bool ph_native_stack(const struct ph_buffer* buffer, uint64_t since, bool may_run,
                     struct ph_stack* stack);
/* Has the buffer's thread ask Lua, unless it is in a system call. */
void ph_native_ask_lua(const struct ph_buffer* buffer);

#endif
