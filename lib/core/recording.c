/* Recordings, as far as the library has to do with them: who asks for one, and where the recorder
 * is. What it records comes through the hooks. */

#include "recording.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/at_fork.h"
#include "base/ticks.h"

#define RECORDER_FILE "phasor/libphasor-trace.so"

enum { OUTSIDE_STACK = 256 << 10 };

const struct ph_hooks* ph_hooks;

static int flag;
static uintptr_t ignored;
static const struct ph_recorder* recorder; /* NULL until one is loaded */
static bool is_over;                       /* the process ends: none is loaded any more */

static void obey_from_outside(void);
/* For a thread that is made to call it: whatever stack it has is left alone. */
static _Alignas(64) char outside_stack[OUTSIDE_STACK];

PHASOR_EXTERN extern struct ph_trace_control phasor_trace_control;
struct ph_trace_control phasor_trace_control = {.magic = PH_CONTROL_LETTERS,
                                                .version = PH_CONTROL_VERSION,
                                                .size = sizeof(struct ph_trace_control),
                                                .hooks = &ph_hooks,
                                                .summons = &ph_summons,
                                                .obey = obey_from_outside,
                                                .stack = outside_stack + OUTSIDE_STACK};

static const struct ph_services services = {.recorder_version = PH_RECORDER_VERSION,
                                            .hooks = &ph_hooks,
                                            .flag = &flag,
                                            .control = &phasor_trace_control,
                                            .ignored = &ignored,
                                            .malloc = ph_malloc,
                                            .calloc = ph_calloc,
                                            .realloc = ph_realloc,
                                            .free = ph_free,
                                            .at_fork = ph_at_fork,
                                            .ticks_are_constant = ph_ticks_are_constant,
                                            .version = uv_version_string};

/* Loading */

typedef const struct ph_recorder* (*recorder_entry)(const struct ph_services* services);

/* Programs that libuv.a is a part of may have the recorder inside too. Hidden: a program's own is
 * not the shared library's. */
extern __typeof__(phasor_recorder) phasor_recorder __attribute__((weak, visibility("hidden")));

/* Beside the library, or the program that has it inside. */
static recorder_entry open_beside(void) {
    Dl_info self;
    char path[PATH_MAX + sizeof(RECORDER_FILE)];
    recorder_entry entry = NULL;
    if (dladdr(&phasor_trace_control, &self) == 0 || realpath(self.dli_fname, path) == NULL)
        return NULL;
    strcpy(strrchr(path, '/') + 1, RECORDER_FILE); /* NOLINT: there is room for it */
    /* Never closed: threads may be about to return from a hook at any time. */
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void* found = library != NULL ? dlsym(library, "phasor_recorder") : NULL;
    memcpy(&entry, &found, sizeof(found));
    return entry;
}

/* Whoever loads it at the same time gets the same one. No lock is held: it may be in a child that
 * forked meanwhile, or on a thread that was stopped anywhere. */
static const struct ph_recorder* load(void) {
    int err = errno;
    recorder_entry entry = phasor_recorder != NULL ? phasor_recorder : open_beside();
    const struct ph_recorder* found = entry != NULL ? entry(&services) : NULL;
    if (found != NULL)
        __atomic_store_n(&recorder, found, __ATOMIC_RELEASE);
    errno = err;
    return found;
}

static const struct ph_recorder* loaded(void) {
    return __atomic_load_n(&recorder, __ATOMIC_ACQUIRE);
}

const struct ph_recorder* ph_recorder(void) {
    const struct ph_recorder* found = loaded();
    if (found != NULL || __atomic_load_n(&is_over, __ATOMIC_RELAXED))
        return found;
    return load();
}

/* Of the library's destructors the last: the pool's threads have ended, and told of it. */
__attribute__((destructor(101))) static void leave(void) {
    __atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
    const struct ph_recorder* found = __atomic_exchange_n(&recorder, NULL, __ATOMIC_ACQ_REL);
    if (found != NULL)
        found->leave();
}

/* Who begins one */

static void start_from_environment(void) {
    const char* file = secure_getenv("PHASOR_TRACE");
    const char* keep = secure_getenv("PHASOR_TRACE_KEEP");
    if (file == NULL || *file == '\0')
        return;
    if (ph_recorder() != NULL)
        ph_recorder()->start_from_environment();
    else if (keep == NULL || *keep != '1') /* else `phasor trace` says it */
        fprintf(stderr, "phasor: can't record in %s: there is no %s beside the library\n", file,
                RECORDER_FILE);
}

void ph_recording_look_for(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start_from_environment);
}

static void refuse(void) {
    struct ph_trace_control* control = &phasor_trace_control;
    __atomic_store_n(&ph_hooks, NULL, __ATOMIC_SEQ_CST);
    if (__atomic_exchange_n(&control->command, PH_COMMAND_NONE, __ATOMIC_SEQ_CST) ==
        PH_COMMAND_NONE)
        return;
    control->result = UV_ENOSYS;
    __atomic_add_fetch(&control->obeyed, 1, __ATOMIC_SEQ_CST);
}

void ph_recording_obey(void) {
    if (ph_recorder() != NULL)
        ph_recorder()->obey();
    else
        refuse();
}

static void obey_from_outside(void) {
    int err = errno;
    if (ph_recorder() != NULL)
        ph_recorder()->obey_from_outside();
    else
        refuse();
    errno = err;
}

/* The functions of phasor.h */

int phasor_trace_start(const char* file) {
    return ph_recorder() != NULL ? ph_recorder()->start(file) : UV_ENOSYS;
}

int phasor_trace_stop(void) {
    return loaded() != NULL ? loaded()->stop() : 0;
}

int phasor_trace_active(void) {
    return __atomic_load_n(&flag, __ATOMIC_RELAXED);
}

const int* phasor_trace_flag(void) {
    return &flag;
}

/* Names may be given before the first recording. */
unsigned phasor_trace_name(const char* function, const char* file, int line) {
    return ph_recorder() != NULL ? ph_recorder()->name(function, file, line) : 0;
}

void phasor_trace_ignore(void (*callback)(void)) {
    __atomic_store_n(&ignored, (uintptr_t)callback, __ATOMIC_RELAXED);
}

/* NULL: nothing is recorded. */
static const struct ph_recorder* active(void) {
    return phasor_trace_active() ? loaded() : NULL;
}

#define FORWARD(function, ...)                        \
    do {                                              \
        const struct ph_recorder* active_ = active(); \
        if (active_ != NULL)                          \
            active_->function(__VA_ARGS__);           \
    } while (0)

void phasor_trace_begin(enum phasor_span span, unsigned name) {
    FORWARD(begin, span, name);
}

void phasor_trace_end(enum phasor_span span) {
    FORWARD(end, span);
}

void phasor_trace_due(unsigned long long due) {
    FORWARD(due, due);
}

int phasor_trace_stack_wanted(void) {
    const struct ph_recorder* found = active();
    return found != NULL ? found->stack_wanted() : 0;
}

void phasor_trace_stack(const struct phasor_frame* frames, unsigned count) {
    FORWARD(stack, frames, count);
}

void phasor_trace_request(const void* request, unsigned name) {
    FORWARD(request, request, name);
}

void phasor_trace_later(const void* id, enum phasor_later step) {
    FORWARD(later, id, step);
}

void phasor_trace_mark(unsigned name, enum phasor_mark kind, unsigned long long ago) {
    FORWARD(mark, name, kind, ago);
}

void phasor_trace_task(const void* id, enum phasor_task_step step, unsigned name) {
    FORWARD(task, id, step, name);
}

unsigned long long phasor_trace_now(void) {
    return phasor_trace_active() ? uv_hrtime() : 0;
}

void phasor_trace_measure(const char* text, unsigned long long began) {
    if (!phasor_trace_active())
        return;
    unsigned long long now = uv_hrtime();
    phasor_trace_mark(phasor_trace_name(text, NULL, 0), PHASOR_MARK_PROGRAM,
                      began != 0 && now > began ? now - began : 0);
}
