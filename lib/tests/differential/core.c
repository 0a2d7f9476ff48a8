/* Handles that need no descriptor, the loop itself, and the poll handle. */

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "machine.h"

static void on_timer(uv_timer_t* timer) {
    called(object_of(timer), "timer", "at %d", clock_since_start(timer->loop));
}

static void on_idle(uv_idle_t* idle) {
    called(object_of(idle), "idle", "%s", "");
}

static void on_prepare(uv_prepare_t* prepare) {
    called(object_of(prepare), "prepare", "%s", "");
}

static void on_check(uv_check_t* check) {
    called(object_of(check), "check", "%s", "");
}

static void on_async(uv_async_t* async) {
    object_of(async)->sends = 0;
    called(object_of(async), "async", "%s", "");
}

static void on_poll(uv_poll_t* poll, int status, int events) {
    called(object_of(poll), "poll", "%s %d", result_text(status), events);
}

static int begin_poll(struct object* object) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0)
        return SKIPPED;
    object->near = ends[0];
    object->far = ends[1];
    return uv_poll_init(object->loop, born(object, sizeof(uv_poll_t)), object->near);
}

int begin_handle(struct object* object) {
    uv_loop_t* loop = object->loop;
    switch (object->kind) {
    case TIMER:
        return uv_timer_init(loop, born(object, sizeof(uv_timer_t)));
    case IDLE:
        return uv_idle_init(loop, born(object, sizeof(uv_idle_t)));
    case PREPARE:
        return uv_prepare_init(loop, born(object, sizeof(uv_prepare_t)));
    case CHECK:
        return uv_check_init(loop, born(object, sizeof(uv_check_t)));
    case ASYNC:
        return uv_async_init(loop, born(object, sizeof(uv_async_t)), on_async);
    case SIGNAL:
        return uv_signal_init(loop, born(object, sizeof(uv_signal_t)));
    case POLL:
        return begin_poll(object);
    case PIPE:
    case TCP:
    case UDP:
    case TTY:
        return begin_stream(object);
    case FS_EVENT:
        return uv_fs_event_init(loop, born(object, sizeof(uv_fs_event_t)));
    case FS_POLL:
        return uv_fs_poll_init(loop, born(object, sizeof(uv_fs_poll_t)));
    default: /* a process begins when it is spawned, a request when it is made */
        return 0;
    }
}

static int op_begin(struct object* object, const int* arguments) {
    (void)arguments;
    if (object->kind == ASYNC && is_mail_told())
        return SKIPPED;
    return object->state == CLOSED && object->kind != PROCESS ? begin_handle(object) : SKIPPED;
}

/* libuv goes on to tell of a child whose handle the exit callback of another closes. */
static bool may_close(const struct object* object) {
    return !may_be_due(object) && !is_on_its_way(object) &&
           !(object->kind == PROCESS && is_called(PROCESS));
}

static int op_close(struct object* object, const int* arguments) {
    (void)arguments;
    if (!may_close(object))
        return SKIPPED;
    close_object(object);
    return NOTHING;
}

static int op_ref(struct object* object, const int* arguments) {
    (void)arguments;
    uv_ref(object->handle);
    return NOTHING;
}

static int op_unref(struct object* object, const int* arguments) {
    (void)arguments;
    uv_unref(object->handle);
    return NOTHING;
}

static int op_query(struct object* object, const int* arguments) {
    (void)arguments;
    if (object->memory == NULL)
        return SKIPPED;
    log_note(" = active %d ref %d closing %d", uv_is_active(object->handle),
             uv_has_ref(object->handle), uv_is_closing(object->handle));
    return NOTHING;
}

struct walk {
    int seen, active;
    int close; /* a set of kinds to close */
};

static void on_walk(uv_handle_t* handle, void* data) {
    struct walk* walk = data;
    struct object* object = handle->data;
    if (object == NULL)
        return;
    log_note(" %d", object->id);
    walk->seen++;
    walk->active += uv_is_active(handle);
    if ((walk->close >> object->kind & 1) != 0 && !uv_is_closing(handle) && may_close(object))
        close_object(object);
}

static int op_walk(struct object* object, const int* arguments) {
    struct walk walk = {.close = arguments[1]};
    (void)object;
    log_note(" =");
    uv_walk(&loops[arguments[0]], on_walk, &walk);
    log_note(", %d active", walk.active);
    return NOTHING;
}

static int op_stop(struct object* object, const int* arguments) {
    (void)object;
    uv_stop(&loops[arguments[0]]);
    return NOTHING;
}

static int op_alive(struct object* object, const int* arguments) {
    (void)object;
    log_note(" = %d", uv_loop_alive(&loops[arguments[0]]));
    return NOTHING;
}

/* libuv's loops have something to tell epoll before their first turn, ours have not. */
static int op_backend_timeout(struct object* object, const int* arguments) {
    (void)object;
    if (!has_turned(arguments[0]))
        return SKIPPED;
    log_note(" = %d", uv_backend_timeout(&loops[arguments[0]]));
    return NOTHING;
}

static int op_update_time(struct object* object, const int* arguments) {
    (void)object;
    uv_update_time(&loops[arguments[0]]);
    return NOTHING;
}

static int op_now(struct object* object, const int* arguments) {
    (void)object;
    log_note(" = %d", clock_since_start(&loops[arguments[0]]));
    return NOTHING;
}

/* A callback that takes long: time passes, and the loop's clock does not know yet. */
static int op_spend(struct object* object, const int* arguments) {
    (void)object;
    clock_advance(arguments[0]);
    return NOTHING;
}

static int op_settle(struct object* object, const int* arguments) {
    (void)object, (void)arguments;
    settle();
    return NOTHING;
}

static int op_run(struct object* object, const int* arguments) {
    (void)object;
    return running != NULL ? SKIPPED : run_loop(arguments[0], (uv_run_mode)arguments[1]);
}

struct errand {
    const int* arguments;
    int result;
};

static void run_in_thread(void* data) {
    struct errand* errand = data;
    errand->result = run_loop(errand->arguments[0], (uv_run_mode)errand->arguments[1]);
}

/* The same in another thread, which is waited for. */
static int op_run_thread(struct object* object, const int* arguments) {
    struct errand errand = {arguments, 0};
    uv_thread_t thread;
    (void)object;
    if (running == &loops[arguments[0]] || running == &loops[2] || running == &loops[1])
        return SKIPPED;
    uv_thread_create(&thread, run_in_thread, &errand);
    uv_thread_join(&thread);
    return errand.result;
}

static int op_timer_start(struct object* object, const int* arguments) {
    return uv_timer_start(object->timer, on_timer, (uint64_t)arguments[0], (uint64_t)arguments[1]);
}

static int op_timer_stop(struct object* object, const int* arguments) {
    (void)arguments;
    return uv_timer_stop(object->timer);
}

static int op_timer_again(struct object* object, const int* arguments) {
    (void)arguments;
    return uv_timer_again(object->timer);
}

static int op_timer_set_repeat(struct object* object, const int* arguments) {
    uv_timer_set_repeat(object->timer, (uint64_t)arguments[0]);
    return NOTHING;
}

static int op_timer_query(struct object* object, const int* arguments) {
    (void)arguments;
    log_note(" = due in %d, repeat %d", (int)uv_timer_get_due_in(object->timer),
             (int)uv_timer_get_repeat(object->timer));
    return NOTHING;
}

static int op_hook_start(struct object* object, const int* arguments) {
    (void)arguments;
    if (object->kind == IDLE)
        return uv_idle_start(object->idle, on_idle);
    if (object->kind == PREPARE)
        return uv_prepare_start(object->prepare, on_prepare);
    return uv_check_start(object->check, on_check);
}

static int op_hook_stop(struct object* object, const int* arguments) {
    (void)arguments;
    if (object->kind == IDLE)
        return uv_idle_stop(object->idle);
    if (object->kind == PREPARE)
        return uv_prepare_stop(object->prepare);
    return uv_check_stop(object->check);
}

static int op_async_send(struct object* object, const int* arguments) {
    (void)arguments;
    if (is_ahead_of_mail(object))
        return SKIPPED;
    object->sends++;
    return uv_async_send(object->async);
}

static void send_in_thread(void* data) {
    uv_async_send(data);
}

static int op_async_send_thread(struct object* object, const int* arguments) {
    uv_thread_t thread;
    (void)arguments;
    if (is_ahead_of_mail(object))
        return SKIPPED;
    object->sends++;
    uv_thread_create(&thread, send_in_thread, object->async);
    return uv_thread_join(&thread);
}

static int op_poll_start(struct object* object, const int* arguments) {
    return uv_poll_start(object->poll, arguments[0], on_poll);
}

static int op_poll_stop(struct object* object, const int* arguments) {
    (void)arguments;
    return uv_poll_stop(object->poll);
}

/* Takes what has come, so that the descriptor is not readable any more. */
static int op_near_read(struct object* object, const int* arguments) {
    char bytes[4096];
    (void)arguments;
    log_note(" %d", (int)read(object->near, bytes, sizeof(bytes)));
    return NOTHING;
}

const struct operation core_operations[] = {
    {"begin", HANDLES, true, op_begin},
    {"close", HANDLES, false, op_close},
    {"ref", HANDLES, false, op_ref},
    {"unref", HANDLES, false, op_unref},
    {"query", HANDLES, true, op_query},
    {"walk", 0, false, op_walk},
    {"stop", 0, false, op_stop},
    {"alive", 0, false, op_alive},
    {"backend_timeout", 0, false, op_backend_timeout},
    {"update_time", 0, false, op_update_time},
    {"now", 0, false, op_now},
    {"spend", 0, false, op_spend},
    {"settle", 0, false, op_settle},
    {"run", 0, false, op_run},
    {"run_thread", 0, false, op_run_thread},
    {"timer_start", 1 << TIMER, false, op_timer_start},
    {"timer_stop", 1 << TIMER, false, op_timer_stop},
    {"timer_again", 1 << TIMER, false, op_timer_again},
    {"timer_set_repeat", 1 << TIMER, false, op_timer_set_repeat},
    {"timer_query", 1 << TIMER, false, op_timer_query},
    {"hook_start", 1 << IDLE | 1 << PREPARE | 1 << CHECK, false, op_hook_start},
    {"hook_stop", 1 << IDLE | 1 << PREPARE | 1 << CHECK, false, op_hook_stop},
    {"async_send", 1 << ASYNC, false, op_async_send},
    {"async_send_thread", 1 << ASYNC, false, op_async_send_thread},
    {"poll_start", 1 << POLL, false, op_poll_start},
    {"poll_stop", 1 << POLL, false, op_poll_stop},
    {"near_read", 1 << POLL, false, op_near_read},
    {NULL, 0, false, NULL}};
