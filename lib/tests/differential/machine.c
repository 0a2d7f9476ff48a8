#include "machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "program.h"

/* The machine's own handles in each loop: they mark the turns, and wake a loop that would wait for
 * ever. None of them keeps the loop alive, and their data is NULL. */
struct marks {
    uv_prepare_t prepare;
    uv_check_t check;
    uv_async_t waker;
    int turns;
    bool polling;
};

enum { TURNS = 2000, CALLS = 100, LOW_SIZE = 4096 };

static const char* const kind_names[KINDS] = {
    [TIMER] = "timer",       [IDLE] = "idle",         [PREPARE] = "prepare", [CHECK] = "check",
    [ASYNC] = "async",       [SIGNAL] = "signal",     [POLL] = "poll",       [PIPE] = "pipe",
    [TCP] = "tcp",           [UDP] = "udp",           [TTY] = "tty",         [PROCESS] = "process",
    [FS_EVENT] = "fs_event", [FS_POLL] = "fs_poll",   [WORK] = "work",       [FS] = "fs",
    [ADDRINFO] = "addrinfo", [NAMEINFO] = "nameinfo", [RANDOM] = "random"};

static struct object objects[OBJECTS];
static bool declared[OBJECTS];
static struct marks marks[LOOPS];
static struct program* current;
static const struct object* caller; /* whose callback runs */
static int births;
static int calls;
uv_loop_t loops[LOOPS];
uv_loop_t* running;
bool quiet;
bool resting;
bool stray_signals = true;

struct object* object_at(int id) {
    return id >= 0 && id < OBJECTS && declared[id] ? &objects[id] : NULL;
}

struct object* object_of(const void* handle) {
    return ((const uv_handle_t*)handle)->data;
}

bool is_live(const struct object* object, int kinds) {
    return object != NULL && (kinds >> object->kind & 1) != 0 && object->state == LIVE;
}

void object_declare(int id, const char* kind, int loop) {
    if (id < 0 || id >= OBJECTS || loop < 0 || loop >= LOOPS)
        return;
    for (int k = 0; k < KINDS; k++) {
        if (strcmp(kind_names[k], kind) != 0)
            continue;
        declared[id] = true;
        objects[id] = (struct object){
            .id = id, .kind = (enum kind)k, .loop = &loops[loop], .far = -1, .near = -1, .fd = -1};
        if ((1 << k & (1 << TCP | 1 << UDP | 1 << TTY)) != 0)
            patience = 1;
        return;
    }
    fprintf(stderr, "No such kind: %s\n", kind);
    exit(2);
}

/* Handles of one signal are called in the order of their addresses, and the loop that has children
 * is one of them: those with odd numbers lie in front of the loops, the others behind. */
static void* low_memory(void) {
    return mmap(NULL, LOW_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1,
                0);
}

static void free_handle(const struct object* object, void* memory) {
    if (object->kind == SIGNAL && object->id % 2 == 1)
        munmap(memory, LOW_SIZE);
    else
        free(memory);
}

void* born(struct object* object, size_t size) {
    object->memory = object->kind == SIGNAL && object->id % 2 == 1 ? low_memory() : calloc(1, size);
    object->handle->data = object;
    object->state = LIVE;
    object->age = ++births;
    object->wanted = 65536;
    object->sent = 0;
    object->connecting = false;
    object->cancels = 0;
    object->sends = 0;
    return object->memory;
}

bool is_called(enum kind kind) {
    return caller != NULL && caller->kind == kind;
}

bool may_be_due(const struct object* object) {
    return object->kind == FS_POLL && is_called(TIMER);
}

bool is_mail_told(void) {
    return caller != NULL && (MAIL >> caller->kind & 1) != 0;
}

bool is_ahead_of_mail(const struct object* async) {
    return is_mail_told() && caller->loop == async->loop &&
           (caller->kind != ASYNC || async->age > caller->age);
}

bool is_polling(const uv_loop_t* loop) {
    return marks[loop - loops].polling;
}

bool has_turned(int loop) {
    return marks[loop].turns > 0;
}

bool is_alone_in_flight(const struct object* request) {
    for (int i = 0; i < OBJECTS; i++)
        if (declared[i] && is_live(&objects[i], REQUESTS) && &objects[i] != request &&
            objects[i].loop == request->loop)
            return false;
    return true;
}

static void log_state(const struct object* object) {
    if ((HANDLES >> object->kind & 1) == 0 || object->memory == NULL)
        return;
    log_note(" [%s%s%s]", uv_is_active(object->handle) ? "a" : "-",
             uv_has_ref(object->handle) ? "r" : "-", uv_is_closing(object->handle) ? "c" : "-");
}

/* Everything is closed before the next poll. */
static void give_up(const char* why) {
    if (quiet)
        return;
    log_line("%s", why);
    quiet = true;
}

void called(struct object* object, const char* what, const char* format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    log_line("%s %d%s%s", what, object->id, *text != 0 ? " " : "", text);
    log_state(object);
    if (running != object->loop)
        log_note(" (in another loop)");
    object->callbacks++;
    if (++calls == CALLS)
        give_up("enough");
    const struct place* place = program_place(current, object->id, object->callbacks);
    if (place == NULL || quiet || resting)
        return;
    const struct object* before = caller;
    caller = object;
    log_depth++;
    program_run(current, place);
    log_depth--;
    caller = before;
}

static void on_close(uv_handle_t* handle) {
    struct object* object = object_of(handle);
    if (object->near != -1)
        close(object->near);
    if (object->far != -1)
        close(object->far);
    object->near = object->far = -1;
    object->state = CLOSED;
    called(object, "closed", "%s", "");
    if (object->memory == handle) /* or else the program has begun it anew */
        object->memory = NULL;
    free_handle(object, handle);
}

void close_object(struct object* object) {
    object->state = CLOSING;
    uv_close(object->handle, on_close);
}

int reset_object(struct object* object) {
    int result = uv_tcp_close_reset(object->tcp, on_close);
    if (result == 0)
        object->state = CLOSING;
    return result;
}

void close_everything(void) {
    for (int i = 0; i < OBJECTS; i++)
        if (declared[i] && is_live(&objects[i], HANDLES))
            close_object(&objects[i]);
}

void free_request(struct object* object) {
    free(object->memory);
    object->memory = NULL;
    object->state = CLOSED;
}

static void on_prepare(uv_prepare_t* prepare) {
    struct marks* mark = &marks[prepare->loop - loops];
    mark->polling = true;
    log_line("-- poll");
    settle();
    /* Whether the poll allows for the time that this turn's callbacks took is open. */
    uv_update_time(prepare->loop);
    if (++mark->turns == TURNS)
        give_up("too many turns");
    if (quiet)
        close_everything();
}

static void on_check(uv_check_t* check) {
    marks[check->loop - loops].polling = false;
    log_line("-- check");
}

static void on_wake(uv_async_t* async) {
    uv_stop(async->loop);
}

uv_async_t* waker_of(uv_loop_t* loop) {
    return &marks[loop - loops].waker;
}

static void begin_loops(void) {
    for (int i = 0; i < LOOPS; i++) {
        uv_loop_init(&loops[i]);
        uv_async_init(&loops[i], &marks[i].waker, on_wake);
        uv_prepare_init(&loops[i], &marks[i].prepare);
        uv_check_init(&loops[i], &marks[i].check);
        uv_prepare_start(&marks[i].prepare, on_prepare);
        uv_check_start(&marks[i].check, on_check);
        uv_unref((uv_handle_t*)&marks[i].prepare);
        uv_unref((uv_handle_t*)&marks[i].check);
        uv_unref((uv_handle_t*)&marks[i].waker);
    }
}

/* How old the clock is before and after a run depends on where a turn ends. */
static void update_clocks(void) {
    for (int i = 0; i < LOOPS; i++)
        uv_update_time(&loops[i]);
}

int run_loop(int which, uv_run_mode mode) {
    uv_loop_t* before = running;
    running = &loops[which];
    update_clocks();
    log_depth++;
    int result = uv_run(running, mode);
    log_depth--;
    running = before;
    resting = false;
    update_clocks();
    log_line("returned");
    return result;
}

static void end_loops(void) {
    quiet = true;
    close_everything();
    for (int i = 0; i < LOOPS; i++) {
        for (int tries = 0; tries < 4 && uv_loop_alive(&loops[i]); tries++) {
            log_line("ending %d", i);
            log_note(" = %d", run_loop(i, UV_RUN_DEFAULT));
        }
        uv_close((uv_handle_t*)&marks[i].waker, NULL);
        uv_close((uv_handle_t*)&marks[i].prepare, NULL);
        uv_close((uv_handle_t*)&marks[i].check, NULL);
        running = NULL;
        uv_run(&loops[i], UV_RUN_DEFAULT);
        log_line("loop %d closed = %s", i, result_text(uv_loop_close(&loops[i])));
    }
    settle_end();
}

void machine_run(struct program* program) {
    current = program;
    clock_begin();
    begin_loops();
    for (int i = 0; i < OBJECTS; i++) {
        if (!declared[i] || (HANDLES >> objects[i].kind & 1) == 0)
            continue;
        int result = begin_handle(&objects[i]);
        if (result != 0)
            log_line("begin %d = %s", i, result_text(result));
    }
    const struct place* place = program_place(program, -1, 0);
    if (place != NULL)
        program_run(program, place);
    end_loops();
    for (int i = 0; i < OBJECTS; i++)
        if (declared[i] && objects[i].callbacks > 0)
            log_line("%s %d called %d times", kind_names[objects[i].kind], i, objects[i].callbacks);
}
