/* What the library says becomes events. */

#include "base/queue.h"
#include "recorder/events.h"
#include "recorder/http.h"
#include "recorder/recorder.h"
#include "recorder/sampler.h"
#include "recorder/services.h"

/* A loop's iteration whose beginning is in the recording, and whose end is not. */
enum { NO_TURN, TURN_IS_TOLD, TURN_WAS_JOINED };

_Static_assert(PH_EV_WORK_SUBMIT + PH_WORK_CANCELLED == PH_EV_WORK_CANCEL, "in the same order");
_Static_assert(PH_EV_HANDLE_OPEN + PH_HANDLE_IS_CLOSED == PH_EV_HANDLE_CLOSED, "in the same order");

/* The recording knows the loop. */
static bool is_known(const uv_loop_t* loop) {
    return loop->internal.trace_session == ph_recorder_session();
}

static bool is_embedded(const uv_loop_t* loop) {
    return __atomic_load_n(&loop->internal.poller.embedded, __ATOMIC_RELAXED) != 0;
}

static void loop_opens(uv_loop_t* loop) {
    loop->internal.trace_session = ph_recorder_session();
    ph_trace_event(PH_EV_LOOP_OPEN, loop, NULL, 0, 0);
    ph_sampler_goes_beyond();
}

static void loop_closes(const uv_loop_t* loop) {
    ph_sampler_takes_down();
    ph_trace_event(PH_EV_LOOP_CLOSE, loop, NULL, 0, 0);
}

/* The handles that were there before the recording. */
static void introduce(uv_loop_t* loop) {
    struct uv__queue* head = &loop->handle_queue;
    loop->internal.trace_session = ph_recorder_session();
    loop->internal.trace_turn = NO_TURN;
    for (struct uv__queue* node = head->next; node != head; node = node->next) {
        const uv_handle_t* handle = PH_CONTAINER_OF(node, uv_handle_t, handle_queue);
        ph_trace_event(PH_EV_HANDLE_OPEN, loop, handle, 0, handle->type | PH_HANDLE_WAS_THERE);
    }
}

static void end_turn(uv_loop_t* loop) {
    loop->internal.trace_turn = NO_TURN;
    ph_trace_event(PH_EV_ITERATION_END, loop, NULL, 0, 0);
}

static void iteration_begins(uv_loop_t* loop, uv_run_mode mode) {
    if (__builtin_expect(ph_recorder_is_wanted(), 0)) {
        /* The recording may end here. */
        if (loop->internal.trace_turn != NO_TURN)
            end_turn(loop);
        ph_recorder_comes();
    }
    unsigned value = mode | PH_TURN_IS_BRIEF;
    if (!is_known(loop))
        introduce(loop);
    else if (loop->internal.trace_turn == TURN_WAS_JOINED)
        end_turn(loop);
    if (is_embedded(loop))
        value |= PH_TURN_IS_EMBEDDED;
    loop->internal.trace_turn = TURN_IS_TOLD;
    ph_trace_event(PH_EV_ITERATION_BEGIN, loop, NULL, loop->internal.metrics.loop_count, value);
    ph_sampler_turn_begins();
}

/* One that was joined may be an outer one, in one of whose callbacks this one was run. */
static void iteration_ends(uv_loop_t* loop) {
    if (is_known(loop) && loop->internal.trace_turn == TURN_IS_TOLD)
        end_turn(loop);
}

/* Told where the iterations do not say it: that the loop was stopped, or has nothing left to do.
 * The latter often is the end of the program, which may leave by _exit: what was recorded is
 * written out. */
static void run_ends(uv_loop_t* loop, uv_run_mode mode, int alive) {
    if (mode == UV_RUN_DEFAULT && loop->internal.trace_turn != NO_TURN)
        end_turn(loop);
    if (mode == UV_RUN_DEFAULT || !alive)
        ph_trace_event(PH_EV_RUN_END, loop, NULL, 0, alive != 0);
    if (alive)
        ph_sampler_run_ends(is_embedded(loop));
    else {
        ph_sampler_goes_beyond();
        ph_writer_flush();
    }
}

/* An iteration in which the recording began has not said that it began, and says nothing else. */
static void phase(const uv_loop_t* loop, enum ph_phase phase) {
    if (is_known(loop) && loop->internal.trace_turn == TURN_IS_TOLD)
        ph_trace_event(PH_EV_PHASE, loop, NULL, 0, phase);
}

static void wait_begins(const uv_loop_t* loop, int timeout) {
    ph_trace_event(PH_EV_WAIT_BEGIN, loop, NULL, 0, (uint32_t)timeout);
}

static bool wait_ends(const uv_loop_t* loop, int count, unsigned asked) {
    uint32_t events = count > 0 ? (uint32_t)count : 0;
    ph_trace_event(PH_EV_WAIT_END, loop, NULL, 0, events | (asked + 1) << PH_ASKED_SHIFT);
    return ph_recorder_is_wanted();
}

/* The recording began inside of an iteration, which has said nothing of itself and will not. */
static __attribute__((noinline)) void join(uv_loop_t* loop) {
    introduce(loop);
    loop->internal.trace_turn = TURN_WAS_JOINED;
    ph_trace_event(PH_EV_ITERATION_BEGIN, loop, NULL, loop->internal.metrics.loop_count,
                   PH_TURN_WAS_RUNNING);
}

static bool callback_begins(uv_loop_t* loop, const void* subject, uintptr_t function,
                            enum ph_callback_kind kind) {
    /* A runtime's own, once for each read, which does nothing but give memory. */
    if (kind == PH_CB_ALLOC &&
        (function == __atomic_load_n(ph_services->ignored, __ATOMIC_RELAXED) || ph_v8_is_node()))
        return false;
    if (loop != NULL && __builtin_expect(!is_known(loop), 0) && ph_trace_on())
        join(loop);
    ph_trace_event(PH_EV_CALLBACK_BEGIN, loop, subject, function, kind);
    return true;
}

static void callback_ends(void) {
    ph_trace_event(PH_EV_CALLBACK_END, NULL, NULL, 0, 0);
}

static void timer_is_due(const uv_timer_t* handle, uint64_t due) {
    ph_trace_event(PH_EV_TIMER_DUE, NULL, handle, due, 0);
}

static void request_begins(const uv_loop_t* loop, const void* req, uv_req_type type) {
    ph_trace_event(PH_EV_REQUEST, loop, req, 0,
                   type == UV_FS ? type | (uint32_t)((const uv_fs_t*)req)->fs_type << 8 : type);
}

static void request_ends(const uv_loop_t* loop, const void* req) {
    ph_trace_event(PH_EV_REQUEST_END, loop, req, 0, 0);
}

static void work(enum ph_work_step step, const uv_loop_t* loop, const void* subject) {
    ph_trace_event(PH_EV_WORK_SUBMIT + step, loop, subject, 0, 0);
}

static void async_is_sent(const uv_loop_t* loop, const uv_async_t* handle) {
    ph_trace_event(PH_EV_SEND, loop, handle, 0, 0);
}

static void loop_wakes(const uv_loop_t* loop) {
    ph_trace_event(PH_EV_WAKE, loop, NULL, 0, 0);
}

static void handle(enum ph_handle_step step, const uv_handle_t* handle) {
    if (step == PH_HANDLE_OPENS)
        ph_sampler_sets_up();
    else if (step == PH_HANDLE_CLOSES)
        ph_sampler_takes_down();
    ph_trace_event(PH_EV_HANDLE_OPEN + step, handle->loop, handle, 0, handle->type);
}

static void stream_has(const uv_stream_t* stream, const char* data, size_t size, bool received) {
    if (received)
        ph_http_received(stream, data, size);
    else
        ph_http_sent(stream, data, size);
}

const struct ph_hooks ph_recording_hooks = {.loop_opens = loop_opens,
                                            .loop_closes = loop_closes,
                                            .iteration_begins = iteration_begins,
                                            .iteration_ends = iteration_ends,
                                            .run_ends = run_ends,
                                            .phase = phase,
                                            .wait_begins = wait_begins,
                                            .wait_ends = wait_ends,
                                            .callback_begins = callback_begins,
                                            .callback_ends = callback_ends,
                                            .timer_is_due = timer_is_due,
                                            .request_begins = request_begins,
                                            .request_ends = request_ends,
                                            .work = work,
                                            .async_is_sent = async_is_sent,
                                            .loop_wakes = loop_wakes,
                                            .handle = handle,
                                            .stream_has = stream_has};
