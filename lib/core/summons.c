/* Hooks that wait for the next iteration of any loop, which does what another process has asked
 * for (recording.h), and otherwise do nothing. */

#include "recording.h"

static void loop_changes(uv_loop_t* loop) {
    (void)loop;
}

static void loop_is_seen(const uv_loop_t* loop) {
    (void)loop;
}

static void iteration_begins(uv_loop_t* loop, uv_run_mode mode) {
    ph_recording_obey();
    const struct ph_hooks* hooks = ph_watcher();
    if (hooks != NULL && hooks != &ph_summons)
        hooks->iteration_begins(loop, mode);
}

static void run_ends(uv_loop_t* loop, uv_run_mode mode, int alive) {
    (void)loop, (void)mode, (void)alive;
}

static void phase(const uv_loop_t* loop, enum ph_phase phase) {
    (void)loop, (void)phase;
}

static void wait_begins(const uv_loop_t* loop, int timeout) {
    (void)loop, (void)timeout;
}

static bool wait_ends(const uv_loop_t* loop, int count, unsigned asked) {
    (void)loop, (void)count, (void)asked;
    return true;
}

static bool callback_begins(uv_loop_t* loop, const void* subject, uintptr_t function,
                            enum ph_callback_kind kind) {
    (void)loop, (void)subject, (void)function, (void)kind;
    return false;
}

static void callback_ends(void) {}

static void timer_is_due(const uv_timer_t* handle, uint64_t due) {
    (void)handle, (void)due;
}

static void request_begins(const uv_loop_t* loop, const void* req, uv_req_type type) {
    (void)loop, (void)req, (void)type;
}

static void request_ends(const uv_loop_t* loop, const void* req) {
    (void)loop, (void)req;
}

static void work(enum ph_work_step step, const uv_loop_t* loop, const void* subject) {
    (void)step, (void)loop, (void)subject;
}

static void async_is_sent(const uv_loop_t* loop, const uv_async_t* handle) {
    (void)loop, (void)handle;
}

static void handle(enum ph_handle_step step, const uv_handle_t* handle) {
    (void)step, (void)handle;
}

static void stream_has(const uv_stream_t* stream, const char* data, size_t size, bool received) {
    (void)stream, (void)data, (void)size, (void)received;
}

const struct ph_hooks ph_summons = {.loop_opens = loop_changes,
                                    .loop_closes = loop_is_seen,
                                    .iteration_begins = iteration_begins,
                                    .iteration_ends = loop_changes,
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
                                    .loop_wakes = loop_is_seen,
                                    .handle = handle,
                                    .stream_has = stream_has};
