#ifndef PH_RECORDING_H
#define PH_RECORDING_H

/*
 * How the library and the recorder (libphasor-trace) meet. The recorder is loaded when a recording
 * begins. It gets what it needs of the library in a table, and gives one back: neither finds the
 * other by symbols, since the library may be loaded where nobody sees its symbols, and the program
 * may export those of another libuv.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hooks.h"
#include <phasor.h>

/*
 * What another process may write to switch a recording on and off (phasor attach): the address of
 * this object is that of the exported symbol phasor_trace_control. It fills in file, limit and
 * command, and, where the pointer at `hooks` is NULL, writes `summons` there; the next iteration of
 * any loop obeys, counts `obeyed` up and leaves the outcome in `result`. Where no loop turns, a
 * debugger may let a thread that is in no critical place call `obey`, on `stack`.
 */
#define PH_CONTROL_MAGIC "PHASORTR"
/* The same without its end, to fill an array with: newer compilers warn about a string there. */
#define PH_CONTROL_LETTERS \
    { 'P', 'H', 'A', 'S', 'O', 'R', 'T', 'R' }
enum { PH_CONTROL_VERSION = 2 };
enum ph_trace_command { PH_COMMAND_NONE, PH_COMMAND_START, PH_COMMAND_STOP };

struct ph_trace_control {
    char magic[8];
    uint32_t version;
    uint32_t size;
    const struct ph_hooks** hooks;
    const struct ph_hooks* summons;
    uint32_t command;
    uint32_t obeyed;
    int32_t result; /* UV_ENOSYS: the recorder can't be loaded */
    uint32_t reserved;
    uint64_t limit;
    char file[4096];      /* absolute, to start with */
    char recording[4096]; /* where the recording goes; empty when there is none */
    void (*obey)(void);
    void* stack; /* its upper end */
};

enum { PH_RECORDER_VERSION = 4 };

/* Of the library, for the recorder. */
struct ph_services {
    uint32_t recorder_version; /* PH_RECORDER_VERSION */
    const struct ph_hooks** hooks;
    int* flag; /* 1 while events are recorded, else 0: see phasor_trace_flag */
    struct ph_trace_control* control;
    const uintptr_t* ignored; /* see phasor_trace_ignore */
    void* (*malloc)(size_t size);
    void* (*calloc)(size_t count, size_t size);
    void* (*realloc)(void* memory, size_t size);
    void (*free)(void* memory);
    void (*at_fork)(void (*prepare)(void), void (*parent)(void), void (*child)(void));
    bool (*ticks_are_constant)(void);
    const char* (*version)(void);
};

/* Of the recorder, for the library: the functions of phasor.h, and when to begin and to end. */
struct ph_recorder {
    void (*start_from_environment)(void);
    /* As the control object says. */
    void (*obey)(void);
    /* The same by a thread that was stopped somewhere and made to call it. */
    void (*obey_from_outside)(void);
    /* At the end of the process, or before the library is unloaded. */
    void (*leave)(void);
    int (*start)(const char* file);
    int (*stop)(void);
    unsigned (*name)(const char* function, const char* file, int line);
    void (*begin)(enum phasor_span span, unsigned name);
    void (*end)(enum phasor_span span);
    void (*due)(unsigned long long due);
    int (*stack_wanted)(void);
    void (*stack)(const struct phasor_frame* frames, unsigned count);
    void (*request)(const void* request, unsigned name);
    void (*mark)(unsigned name, enum phasor_mark kind, unsigned long long ago);
    void (*task)(const void* id, enum phasor_task_step step, unsigned name);
    void (*later)(const void* id, enum phasor_later step);
};

/* The recorder's only symbol. NULL: it is of another version, or serves another library of this
 * process. May be called again, by any thread. */
const struct ph_recorder* phasor_recorder(const struct ph_services* services);

/* Once in a process: starts a recording if the environment wants one. */
void ph_recording_look_for(void);
/* The recorder, loaded if need be; NULL: it can't be. */
const struct ph_recorder* ph_recorder(void);
/* The table that attaching processes set: the next iteration obeys, the rest is silence. */
extern const struct ph_hooks ph_summons __attribute__((visibility("hidden")));
/* By an iteration that finds it. */
void ph_recording_obey(void);

#endif
