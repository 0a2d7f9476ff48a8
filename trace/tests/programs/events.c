/*
 * events FILE [MODE]: checks that a recording is consistent in itself, and prints how many
 * iterations and callbacks of each kind it has. Without a mode, everything that began has ended and
 * every request was called back, or is over without. "left": requests may be left over. "cut": and
 * what was open at the end may stay open. "late": and what was open at the beginning may end.
 */

#include <stdio.h>
#include <string.h>

#include "read/file.h"
#include "read/memory.h"
#include "read/model.h"
#include "read/stream.h"

enum { MOST_OPEN = 64 };

struct thread {
    uint8_t open[MOST_OPEN]; /* types that began */
    int phases[MOST_OPEN];   /* of the iterations among them: the last phase */
    int depth;
    bool blind; /* something is missing: until the next iteration begins anything may end */
    uint64_t time;
};

static int failures;

static void check(bool good, const struct trace_event* event, const char* what) {
    if (good)
        return;
    failures++;
    fprintf(stderr, "event of type %d at %llu: %s\n", event->type, (unsigned long long)event->time,
            what);
}

static void begin(struct thread* thread, const struct trace_event* event) {
    check(thread->depth < MOST_OPEN, event, "too deep");
    if (thread->depth == MOST_OPEN)
        return;
    thread->open[thread->depth] = event->type;
    thread->phases[thread->depth++] = -1;
}

static void end(struct thread* thread, const struct trace_event* event, uint8_t begun) {
    bool matches = thread->depth > 0 && thread->open[thread->depth - 1] == begun;
    check(matches || (thread->blind && thread->depth == 0), event,
          "ends something that did not begin");
    if (matches)
        thread->depth--;
}

/* The last phase of the innermost iteration; NULL: none is running. */
static int* current_phase(struct thread* thread) {
    for (int i = thread->depth - 1; i >= 0; i--)
        if (thread->open[i] == PH_EV_ITERATION_BEGIN)
            return &thread->phases[i];
    return NULL;
}

/* timers, pending, idle, prepare, poll, check, closing, and timers once more */
static void phase(struct thread* thread, const struct trace_event* event) {
    int* last = current_phase(thread);
    if (last == NULL) {
        check(thread->blind, event, "a phase outside of an iteration");
        return;
    }
    check(thread->open[thread->depth - 1] == PH_EV_ITERATION_BEGIN, event,
          "a phase begins inside of a callback");
    check((int)event->value == *last + 1 ||
              (event->value == PH_PHASE_TIMERS && *last == PH_PHASE_CLOSING),
          event, "a phase out of its order");
    *last = (int)event->value;
}

static void end_iteration(struct thread* thread, const struct trace_event* event) {
    const int* last = current_phase(thread);
    if (last != NULL)
        check(*last == PH_PHASE_CLOSING || *last == PH_PHASE_TIMERS, event,
              "an iteration without all of its phases");
    end(thread, event, PH_EV_ITERATION_BEGIN);
}

static void begin_wait(struct thread* thread, const struct trace_event* event) {
    const int* last = current_phase(thread);
    if (last != NULL)
        check(*last == PH_PHASE_POLL, event, "waits outside of poll");
    begin(thread, event);
}

static void visit(struct thread* thread, const struct trace_event* event) {
    check(event->time >= thread->time, event, "time runs backwards");
    thread->time = event->time;
    switch (event->type) {
    case PH_EV_LOST:
    case PH_EV_GAP:
        thread->depth = 0;
        thread->blind = true;
        return;
    case PH_EV_ITERATION_BEGIN:
        thread->blind = thread->blind && thread->depth > 0;
        begin(thread, event);
        if (event->value & PH_TURN_WAS_RUNNING && thread->depth > 0)
            thread->phases[thread->depth - 1] = PH_PHASE_CLOSING;
        return;
    case PH_EV_ITERATION_END:
        return end_iteration(thread, event);
    case PH_EV_PHASE:
        return phase(thread, event);
    case PH_EV_WAIT_BEGIN:
        return begin_wait(thread, event);
    case PH_EV_WAIT_END:
        return end(thread, event, PH_EV_WAIT_BEGIN);
    case PH_EV_CALLBACK_BEGIN:
        check(event->detail != 0 && event->value < PH_CB_COUNT, event, "a callback of no kind");
        return begin(thread, event);
    case PH_EV_CALLBACK_END:
        return end(thread, event, PH_EV_CALLBACK_BEGIN);
    case PH_EV_WORK_BEGIN:
        return begin(thread, event);
    case PH_EV_WORK_END:
        return end(thread, event, PH_EV_WORK_BEGIN);
    case PH_EV_SPAN_BEGIN:
        return begin(thread, event);
    case PH_EV_SPAN_END:
        return end(thread, event, PH_EV_SPAN_BEGIN);
    default:
        return;
    }
}

/* Every request that went to the pool started, ended and was called back, in this order. */
static void check_request(void* context, const struct model* model, const struct object* object) {
    struct trace_event event = {.time = object->born};
    (void)context, (void)model;
    check(object->ended >= object->born && object->ended != 0, &event, "has no end");
    if (object->for_pool && !object->cancelled)
        check(object->born <= object->started && object->started <= object->done &&
                  object->done <= object->ended && object->pool_track != NO_TRACK,
              &event, "a request's life is out of order");
}

static void check_unit(void* context, const struct model* model, const struct span* spans,
                       size_t count) {
    (void)context, (void)model;
    for (size_t i = 0; i < count; i++) {
        struct trace_event event = {.time = spans[i].start};
        check(!spans[i].unfinished, &event, "a span without an end");
        check(spans[i].inside <= i, &event, "a span before the one that it is in");
        if (spans[i].subject != 0 && !spans[i].of_request)
            check(spans[i].type != 0, &event, "a handle without a type");
    }
}

static void check_model(struct trace_file* file) {
    struct model_sink sink = {NULL, check_unit, check_request, NULL, NULL};
    struct model model;
    model_run(&model, file, 0, UINT64_MAX, &sink);
    model_free(&model);
}

enum mode { WHOLE, LEFT, CUT, LATE };

static enum mode parse_mode(const char* text) {
    return strcmp(text, "late") == 0   ? LATE
           : strcmp(text, "cut") == 0  ? CUT
           : strcmp(text, "left") == 0 ? LEFT
                                       : WHOLE;
}

static void check_threads(struct trace_file* file, enum mode mode) {
    unsigned callbacks[PH_CB_COUNT] = {0};
    unsigned long long iterations = 0;
    struct thread* threads = must(calloc(file->thread_count + 1, sizeof(*threads)));
    struct trace_event last = {0};
    for (size_t i = 0; i < file->thread_count; i++)
        threads[i].blind = mode == LATE;
    struct trace_stream* stream = trace_stream_open(file);
    const struct trace_event* event;
    while ((event = trace_stream_next(stream)) != NULL) {
        visit(&threads[event->thread], event);
        iterations += event->type == PH_EV_ITERATION_BEGIN;
        iterations -= event->type == PH_EV_ITERATION_BEGIN && event->value & PH_TURN_WAS_RUNNING;
        if (event->type == PH_EV_CALLBACK_BEGIN && event->value < PH_CB_COUNT)
            callbacks[event->value]++;
    }
    trace_stream_close(stream);
    for (size_t i = 0; i < file->thread_count && mode < CUT; i++)
        check(threads[i].depth == 0, &last, "something is still open at the end");
    free(threads);
    printf("iterations %llu\n", iterations);
    for (unsigned i = 0; i < PH_CB_COUNT; i++)
        if (callbacks[i] > 0)
            printf("%s %u\n", callback_name(i), callbacks[i]);
}

int main(int argc, char** argv) {
    struct trace_file file;
    char error[4400];
    enum mode mode = parse_mode(argc > 2 ? argv[2] : "");
    if (argc < 2 || !trace_file_open(&file, argv[1], 0, error, sizeof(error))) {
        fprintf(stderr, "%s\n", argc < 2 ? "which file?" : error);
        return 2;
    }
    for (size_t i = 0; i < file.problem_count; i++, failures++)
        fprintf(stderr, "%s\n", file.problems[i]);
    check_threads(&file, mode);
    if (mode == WHOLE)
        check_model(&file);
    trace_file_close(&file);
    return failures > 0;
}
