#include "recorder/recorder.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/events.h"
#include "recorder/memory.h"
#include "recorder/sampler.h"
#include "recorder/services.h"
#include <phasor.h>

int ph_tracing;
unsigned ph_session;
const struct ph_services* ph_services;

/* Under the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool recording;
static bool began_with_process; /* the writer's thread reads it */
static bool child_waits; /* after a fork: the recording goes on in a new file when a loop runs */
static uint64_t own_limit;

static bool awaits_forks; /* the handlers are registered */

static const struct ph_services* served; /* of the library that has the recorder now */

/* Starting and stopping */

/* Who comes by a hook before the others see it records already, or no longer. */
static void set_on(bool on) {
    const struct ph_hooks* hooks = on ? &ph_recording_hooks : NULL;
    if (!on)
        __atomic_store_n(ph_services->hooks, hooks, __ATOMIC_SEQ_CST);
    __atomic_store_n(&ph_tracing, on, __ATOMIC_SEQ_CST);
    __atomic_store_n(ph_services->flag, on, __ATOMIC_SEQ_CST);
    if (on)
        __atomic_store_n(ph_services->hooks, hooks, __ATOMIC_SEQ_CST);
}

static void before_fork(void) {
    pthread_mutex_lock(&lock);
    ph_writer_before_fork();
    ph_sampler_before_fork();
    ph_names_before_fork();
}

static void after_fork_in_parent(void) {
    ph_names_after_fork();
    ph_sampler_after_fork(false);
    ph_writer_after_fork(false);
    pthread_mutex_unlock(&lock);
}

static void after_fork_in_child(void) {
    ph_names_after_fork();
    ph_buffers_forget();
    ph_memory_forget();
    ph_sampler_after_fork(true);
    ph_writer_after_fork(true);
    __atomic_store_n(&child_waits, recording, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}

static void await_forks(void) {
    if (!awaits_forks)
        ph_services->at_fork(before_fork, after_fork_in_parent, after_fork_in_child);
    awaits_forks = true;
}

static void set_began_with_process(bool value) {
    __atomic_store_n(&began_with_process, value, __ATOMIC_RELAXED);
}

static uint64_t limit_from_environment(void) {
    const char* value = secure_getenv("PHASOR_TRACE_LIMIT");
    return value != NULL ? strtoull(value, NULL, 10) : 0;
}

/* With the lock held. What is in the buffers is from an earlier recording. */
static int start(const char* path, uint64_t limit, bool never_replace) {
    struct ph_trace_control* control = ph_services->control;
    if (path == NULL || *path == '\0')
        return UV_EINVAL;
    if (recording && !child_waits)
        return UV_EALREADY;
    await_forks();
    ph_buffers_empty();
    ph_memory_open();
    ph_names_note();
    int err = ph_writer_start(path, limit, never_replace);
    if (err != 0)
        ph_memory_close();
    __atomic_store_n(&child_waits, false, __ATOMIC_RELAXED);
    recording = err == 0;
    if (err == 0) {
        own_limit = limit;
        ph_crash_watch();
        __atomic_add_fetch(&ph_session, 1, __ATOMIC_RELAXED);
        snprintf(control->recording, sizeof(control->recording), "%s", ph_writer_path());
    }
    set_on(err == 0);
    return err;
}

static int stop(void) {
    if (!recording)
        return 0;
    set_on(false);
    recording = false;
    ph_crash_unwatch();
    ph_services->control->recording[0] = '\0';
    if (child_waits) {
        child_waits = false;
        return 0;
    }
    int err = ph_writer_stop();
    set_began_with_process(false);
    ph_buffers_retire();
    ph_memory_close();
    return err;
}

/* The writer stays until it is stopped, but nobody gives it work any more. */
void ph_recorder_failed(void) {
    set_on(false);
}

bool ph_recorder_began_with_process(void) {
    return __atomic_load_n(&began_with_process, __ATOMIC_RELAXED);
}

bool ph_recorder_takes_events(void) {
    return !__atomic_load_n(&child_waits, __ATOMIC_RELAXED);
}

static int start_now(const char* file) {
    pthread_mutex_lock(&lock);
    int err = start(file, limit_from_environment(), false);
    pthread_mutex_unlock(&lock);
    return err;
}

static int stop_now(void) {
    pthread_mutex_lock(&lock);
    int err = stop();
    pthread_mutex_unlock(&lock);
    return err;
}

/* The library may be loaded again, as another one. */
static void leave(void) {
    stop_now();
    ph_names_free();
    awaits_forks = false;
    __atomic_store_n(&served, NULL, __ATOMIC_RELEASE);
}

/* "name" becomes "name.PID". */
static void start_in_child(void) {
    char path[PATH_MAX + 16];
    size_t length = strlen(ph_writer_path());
    memcpy(path, ph_writer_path(), length);
    snprintf(path + length, sizeof(path) - length, ".%d", (int)getpid());
    set_began_with_process(false);
    start(path, own_limit, false);
}

/* Whoever gives a command may have written them over the hooks of a recording. */
static void unset_summons(void) {
    const struct ph_hooks* summons = ph_services->control->summons;
    const struct ph_hooks* hooks = ph_trace_on() ? &ph_recording_hooks : NULL;
    __atomic_compare_exchange_n(ph_services->hooks, &summons, hooks, false, __ATOMIC_SEQ_CST,
                                __ATOMIC_RELAXED);
}

static void obey(void) {
    struct ph_trace_control* control = ph_services->control;
    int result = 0;
    uint32_t command = __atomic_exchange_n(&control->command, PH_COMMAND_NONE, __ATOMIC_SEQ_CST);
    control->file[sizeof(control->file) - 1] = '\0';
    if (command == PH_COMMAND_START)
        result = start(control->file, control->limit, false);
    else if (command == PH_COMMAND_STOP)
        result = stop();
    unset_summons();
    if (command == PH_COMMAND_NONE)
        return;
    control->result = result;
    __atomic_add_fetch(&control->obeyed, 1, __ATOMIC_SEQ_CST);
}

static void obey_now(void) {
    pthread_mutex_lock(&lock);
    obey();
    pthread_mutex_unlock(&lock);
}

/* Whoever holds the lock is about to obey, or to start or stop by itself. */
static void obey_from_outside(void) {
    if (pthread_mutex_trylock(&lock) != 0)
        return;
    unsigned before = ph_session;
    obey();
    if (ph_session != before)
        ph_sampler_is_inside();
    pthread_mutex_unlock(&lock);
}

bool ph_recorder_is_wanted(void) {
    return __atomic_load_n(&ph_services->control->command, __ATOMIC_RELAXED) != PH_COMMAND_NONE ||
           __atomic_load_n(&child_waits, __ATOMIC_RELAXED);
}

void ph_recorder_comes(void) {
    pthread_mutex_lock(&lock);
    if (child_waits)
        start_in_child();
    obey();
    pthread_mutex_unlock(&lock);
}

static void start_from_environment(void) {
    const char* file = secure_getenv("PHASOR_TRACE");
    const char* keep = secure_getenv("PHASOR_TRACE_KEEP");
    if (file == NULL || *file == '\0')
        return;
    bool by_command = keep != NULL && *keep == '1';
    int err = 0;
    pthread_mutex_lock(&lock);
    if (!recording) {
        set_began_with_process(true);
        err = start(file, limit_from_environment(), by_command);
        if (err != 0)
            set_began_with_process(false);
    }
    pthread_mutex_unlock(&lock);
    /* `phasor trace` says it itself, and the program prints as it always does. */
    if (err != 0 && !by_command)
        fprintf(stderr, "phasor: can't record in %s: %s\n", file, strerror(-err));
}

/* For runtimes */

static void span_begins(enum phasor_span span, unsigned name) {
    ph_trace_event(PH_EV_SPAN_BEGIN, NULL, NULL, name, span);
}

static void span_ends(enum phasor_span span) {
    ph_trace_event(PH_EV_SPAN_END, NULL, NULL, 0, span);
}

static void timer_is_due(unsigned long long due) {
    ph_trace_event(PH_EV_TIMER_DUE, NULL, NULL, due, 0);
}

static void name_request(const void* request, unsigned name) {
    ph_trace_event(PH_EV_REQUEST_NAME, NULL, request, name, 0);
}

static void mark(unsigned name, enum phasor_mark kind, unsigned long long ago) {
    ph_trace_event(PH_EV_MARK, NULL, (const void*)(uintptr_t)ago, name, kind);
}

static void task(const void* id, enum phasor_task_step step, unsigned name) {
    ph_trace_event(PH_EV_TASK, NULL, id, name, step);
}

static void later(const void* id, enum phasor_later step) {
    ph_trace_event(PH_EV_LATER, NULL, id, 0, step);
}

PHASOR_EXTERN const struct ph_recorder* phasor_recorder(const struct ph_services* services) {
    static const struct ph_recorder recorder = {.start_from_environment = start_from_environment,
                                                .obey = obey_now,
                                                .obey_from_outside = obey_from_outside,
                                                .leave = leave,
                                                .start = start_now,
                                                .stop = stop_now,
                                                .name = ph_name_number,
                                                .begin = span_begins,
                                                .end = span_ends,
                                                .due = timer_is_due,
                                                .stack_wanted = ph_stack_wanted,
                                                .stack = ph_stack_told,
                                                .request = name_request,
                                                .mark = mark,
                                                .task = task,
                                                .later = later};
    const struct ph_services* nobody = NULL;
    if (services->recorder_version != PH_RECORDER_VERSION)
        return NULL;
    if (!__atomic_compare_exchange_n(&served, &nobody, services, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE) &&
        nobody != services)
        return NULL;
    __atomic_store_n(&ph_services, services, __ATOMIC_RELEASE);
    return &recorder;
}
