#include "recorder/recorder.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/at_fork.h"
#include "base/queue.h"
#include "recorder/memory.h"
#include "recorder/sampler.h"
#include "recorder/trace.h"
#include <phasor.h>

enum { OUTSIDE_STACK = 256 << 10 };

/* A loop's iteration whose beginning is in the recording, and whose end is not. */
enum { NO_TURN, TURN_IS_TOLD, TURN_WAS_JOINED };

int ph_tracing;

static void obey_from_outside(void);
/* For a thread that is made to call it: whatever stack it has is left alone. */
static _Alignas(64) char outside_stack[OUTSIDE_STACK];

PHASOR_EXTERN extern struct ph_trace_control phasor_trace_control;
struct ph_trace_control phasor_trace_control = {.magic = PH_TRACE_MAGIC,
                                                .version = PH_CONTROL_VERSION,
                                                .size = sizeof(struct ph_trace_control),
                                                .flag = &ph_tracing,
                                                .obey = obey_from_outside,
                                                .stack = outside_stack + OUTSIDE_STACK};

/* Under the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool recording;
static unsigned session; /* counts recordings; loops note which one knows their handles */
static bool child_waits; /* after a fork: the recording goes on in a new file when a loop runs */
static uint64_t own_limit;

static uintptr_t ignored; /* see phasor_trace_ignore */

/* Starting and stopping */

static void set_flag(int flag) {
    __atomic_store_n(&ph_tracing, flag, __ATOMIC_SEQ_CST);
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

static void register_fork_handlers(void) {
    ph_at_fork(before_fork, after_fork_in_parent, after_fork_in_child);
}

static uint64_t limit_from_environment(void) {
    const char* value = secure_getenv("PHASOR_TRACE_LIMIT");
    return value != NULL ? strtoull(value, NULL, 10) : 0;
}

/* With the lock held. What is in the buffers is from an earlier recording. */
static int start(const char* path, uint64_t limit, bool never_replace) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (path == NULL || *path == '\0')
        return UV_EINVAL;
    if (recording && !child_waits)
        return UV_EALREADY;
    pthread_once(&once, register_fork_handlers);
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
        __atomic_add_fetch(&session, 1, __ATOMIC_RELAXED);
        snprintf(phasor_trace_control.recording, sizeof(phasor_trace_control.recording), "%s",
                 ph_writer_path());
    }
    set_flag(err == 0 ? PH_TRACE_ON : 0);
    return err;
}

static int stop(void) {
    if (!recording)
        return 0;
    set_flag(0);
    recording = false;
    ph_crash_unwatch();
    phasor_trace_control.recording[0] = '\0';
    if (child_waits) {
        child_waits = false;
        return 0;
    }
    int err = ph_writer_stop();
    ph_buffers_retire();
    ph_memory_close();
    return err;
}

/* The writer stays until it is stopped, but nobody gives it work any more. */
void ph_recorder_failed(void) {
    set_flag(0);
}

bool ph_recorder_takes_events(void) {
    return !__atomic_load_n(&child_waits, __ATOMIC_RELAXED);
}

int phasor_trace_start(const char* file) {
    pthread_mutex_lock(&lock);
    int err = start(file, limit_from_environment(), false);
    pthread_mutex_unlock(&lock);
    return err;
}

int phasor_trace_stop(void) {
    pthread_mutex_lock(&lock);
    int err = stop();
    pthread_mutex_unlock(&lock);
    return err;
}

int phasor_trace_active(void) {
    return (__atomic_load_n(&ph_tracing, __ATOMIC_RELAXED) & PH_TRACE_ON) != 0;
}

const int* phasor_trace_flag(void) {
    return &ph_tracing;
}

/* Of the library's destructors the last: the pool's threads have ended, and told of it. */
__attribute__((destructor(101))) static void stop_at_exit(void) {
    phasor_trace_stop();
    ph_names_free();
}

/* "name" becomes "name.PID". */
static void start_in_child(void) {
    char path[PATH_MAX + 16];
    size_t length = strlen(ph_writer_path());
    memcpy(path, ph_writer_path(), length);
    snprintf(path + length, sizeof(path) - length, ".%d", (int)getpid());
    start(path, own_limit, false);
}

static void obey(void) {
    struct ph_trace_control* control = &phasor_trace_control;
    int result = 0;
    __atomic_and_fetch(&ph_tracing, ~PH_TRACE_COMMANDED, __ATOMIC_SEQ_CST);
    uint32_t command = __atomic_exchange_n(&control->command, PH_COMMAND_NONE, __ATOMIC_SEQ_CST);
    control->file[sizeof(control->file) - 1] = '\0';
    if (command == PH_COMMAND_START)
        result = start(control->file, control->limit, false);
    else if (command == PH_COMMAND_STOP)
        result = stop();
    else
        return;
    control->result = result;
    __atomic_add_fetch(&control->obeyed, 1, __ATOMIC_SEQ_CST);
}

/* Whoever holds the lock is about to obey, or to start or stop by itself. */
static void obey_from_outside(void) {
    int err = errno;
    if (pthread_mutex_trylock(&lock) == 0) {
        unsigned before = session;
        obey();
        if (session != before)
            ph_sampler_is_inside();
        pthread_mutex_unlock(&lock);
    }
    errno = err;
}

/* The handles that were there before the recording. */
static void introduce(uv_loop_t* loop) {
    struct uv__queue* head = &loop->handle_queue;
    loop->internal.trace_session = __atomic_load_n(&session, __ATOMIC_RELAXED);
    loop->internal.trace_turn = NO_TURN;
    for (struct uv__queue* node = head->next; node != head; node = node->next) {
        const uv_handle_t* handle = PH_CONTAINER_OF(node, uv_handle_t, handle_queue);
        ph_trace_event(PH_EV_HANDLE_OPEN, loop, handle, 0, handle->type | PH_HANDLE_WAS_THERE);
    }
}

void ph_trace_iteration_begins(uv_loop_t* loop, uv_run_mode mode) {
    int flag = __atomic_load_n(&ph_tracing, __ATOMIC_RELAXED);
    if ((flag & PH_TRACE_COMMANDED) || __atomic_load_n(&child_waits, __ATOMIC_RELAXED)) {
        /* The recording may end here. */
        if (loop->internal.trace_turn != NO_TURN)
            ph_trace_iteration_ends(loop);
        pthread_mutex_lock(&lock);
        if (child_waits)
            start_in_child();
        obey();
        pthread_mutex_unlock(&lock);
    }
    unsigned value = mode | PH_TURN_IS_BRIEF;
    if (loop->internal.trace_session != __atomic_load_n(&session, __ATOMIC_RELAXED))
        introduce(loop);
    else if (loop->internal.trace_turn == TURN_WAS_JOINED)
        ph_trace_iteration_ends(loop);
    if (__atomic_load_n(&loop->internal.poller.embedded, __ATOMIC_RELAXED) != 0)
        value |= PH_TURN_IS_EMBEDDED;
    loop->internal.trace_turn = TURN_IS_TOLD;
    ph_trace_event(PH_EV_ITERATION_BEGIN, loop, NULL, loop->internal.metrics.loop_count, value);
    ph_sampler_turn_begins();
}

void ph_trace_iteration_ends(uv_loop_t* loop) {
    loop->internal.trace_turn = NO_TURN;
    ph_trace_event(PH_EV_ITERATION_END, loop, NULL, 0, 0);
}

/* The recording began inside of an iteration, which has said nothing of itself and will not. */
static __attribute__((noinline)) void join(uv_loop_t* loop) {
    introduce(loop);
    loop->internal.trace_turn = TURN_WAS_JOINED;
    ph_trace_event(PH_EV_ITERATION_BEGIN, loop, NULL, loop->internal.metrics.loop_count,
                   PH_TURN_WAS_RUNNING);
}

bool ph_trace_callback_begins(uv_loop_t* loop, const void* subject, uintptr_t function,
                              enum ph_callback_kind kind) {
    if (kind == PH_CB_ALLOC && function == __atomic_load_n(&ignored, __ATOMIC_RELAXED))
        return false;
    if (loop != NULL &&
        loop->internal.trace_session != __atomic_load_n(&session, __ATOMIC_RELAXED) &&
        phasor_trace_active())
        join(loop);
    ph_trace_event(PH_EV_CALLBACK_BEGIN, loop, subject, function, kind);
    return true;
}

void ph_trace_run_ends(uv_loop_t* loop, uv_run_mode mode, int alive) {
    if (mode == UV_RUN_DEFAULT && loop->internal.trace_turn != NO_TURN)
        ph_trace_iteration_ends(loop);
    if (mode == UV_RUN_DEFAULT || !alive)
        ph_trace_event(PH_EV_RUN_END, loop, NULL, 0, alive != 0);
    if (alive)
        ph_sampler_run_ends(__atomic_load_n(&loop->internal.poller.embedded, __ATOMIC_RELAXED) !=
                            0);
    else
        ph_writer_flush();
}

static void start_from_environment(void) {
    const char* file = secure_getenv("PHASOR_TRACE");
    const char* keep = secure_getenv("PHASOR_TRACE_KEEP");
    if (file == NULL || *file == '\0')
        return;
    bool by_command = keep != NULL && *keep == '1';
    int err = 0;
    pthread_mutex_lock(&lock);
    if (!recording)
        err = start(file, limit_from_environment(), by_command);
    pthread_mutex_unlock(&lock);
    /* `phasor trace` says it itself, and the program prints as it always does. */
    if (err != 0 && !by_command)
        fprintf(stderr, "phasor: can't record in %s: %s\n", file, strerror(-err));
}

void ph_trace_loop_opens(uv_loop_t* loop) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start_from_environment);
    loop->internal.trace_session = __atomic_load_n(&session, __ATOMIC_RELAXED);
    if (ph_trace_on())
        ph_trace_event(PH_EV_LOOP_OPEN, loop, NULL, 0, 0);
}

/* For runtimes */

void phasor_trace_begin(enum phasor_span span, unsigned name) {
    if (ph_trace_on())
        ph_trace_event(PH_EV_SPAN_BEGIN, NULL, NULL, name, span);
}

void phasor_trace_end(enum phasor_span span) {
    if (ph_trace_on())
        ph_trace_event(PH_EV_SPAN_END, NULL, NULL, 0, span);
}

void phasor_trace_ignore(void (*callback)(void)) {
    __atomic_store_n(&ignored, (uintptr_t)callback, __ATOMIC_RELAXED);
}

void phasor_trace_due(unsigned long long due) {
    if (ph_trace_on())
        ph_trace_event(PH_EV_TIMER_DUE, NULL, NULL, due, 0);
}

void phasor_trace_request(const void* request, unsigned name) {
    if (ph_trace_on())
        ph_trace_event(PH_EV_REQUEST_NAME, NULL, request, name, 0);
}

void phasor_trace_mark(unsigned name, enum phasor_mark kind, unsigned long long ago) {
    if (ph_trace_on())
        ph_trace_event(PH_EV_MARK, NULL, (const void*)(uintptr_t)ago, name, kind);
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
