#include "read/tasks.h"

#include <phasor.h>

#include "read/build.h"
#include "read/memory.h"

/* So many have a track; there may be millions. */
enum { MOST_SHOWN = 2000 };

struct task {
    uint64_t since; /* when it began to do what it does */
    uint32_t name;  /* its own */
    uint32_t what;  /* what it waits for; 0: it runs */
    uint16_t track;
    bool goes_on;
};

static uint32_t name_at(const struct builder* b, const struct trace_event* event) {
    return event->detail < b->model->file->name_count ? (uint32_t)event->detail : 0;
}

static uint32_t add(struct builder* b, const struct trace_event* event, uint32_t name) {
    struct tasks* tasks = &b->tasks;
    if (tasks->count == 0)
        APPEND(tasks->list, tasks->count);
    uint32_t place = tasks->free_place;
    if (place != 0) {
        tasks->free_place = tasks->list[place].what;
    } else {
        place = (uint32_t)tasks->count;
        APPEND(tasks->list, tasks->count);
    }
    const char* text = name != 0 ? b->model->file->names[name].function : NULL;
    bool shown = tasks->shown < MOST_SHOWN;
    tasks->shown += shown;
    tasks->list[place] = (struct task){
        .name = name, .track = shown ? build_task_track(b, text) : NO_TRACK, .goes_on = true};
    map_put(&tasks->places, event->subject, place);
    return place;
}

/* What it has done until now is a span by itself: nothing encloses it. */
static void give_span(struct builder* b, const struct task* task, uint64_t end, bool finished) {
    const struct model* model = b->model;
    struct span span = {.start = task->since,
                        .end = end,
                        .kind = SPAN_MARK,
                        .detail = task->what != 0 ? PHASOR_MARK_TASK_WAITS : PHASOR_MARK_TASK_RUNS,
                        .name = task->what != 0 ? task->what : task->name,
                        .track = task->track,
                        .unfinished = !finished};
    span.called = span.name;
    if (task->track != NO_TRACK && end > task->since && task->since < model->to &&
        end >= model->from)
        b->sink->unit(b->sink->context, model, &span, 1);
}

static void end_task(struct builder* b, uint64_t subject, uint32_t place) {
    struct tasks* tasks = &b->tasks;
    tasks->list[place].goes_on = false;
    tasks->list[place].what = tasks->free_place;
    tasks->free_place = place;
    map_put(&tasks->places, subject, 0);
}

static void name_late(struct builder* b, struct task* task, uint32_t name) {
    const char* text = name != 0 ? b->model->file->names[name].function : NULL;
    task->name = name;
    if (task->track != NO_TRACK && text != NULL && text[0] != '\0')
        snprintf(b->model->tracks[task->track].name, sizeof(b->model->tracks[0].name), "%s", text);
}

/* Each step ends what was before it. A task that began before the recording is heard of first when
 * it waits; when it runs after that its name is known. */
void tasks_event(struct builder* b, const struct trace_event* event) {
    struct tasks* tasks = &b->tasks;
    uint64_t now = event->time - b->model->began;
    uint32_t name = name_at(b, event), place = map_get(&tasks->places, event->subject);
    bool waits = event->value == PHASOR_TASK_WAITS;
    if (place != 0)
        give_span(b, &tasks->list[place], now, true);
    if (place != 0 && event->value == PHASOR_TASK_STARTS)
        end_task(b, event->subject, place); /* its end was lost */
    if (event->value == PHASOR_TASK_ENDS) {
        if (place != 0)
            end_task(b, event->subject, place);
        return;
    }
    if (place == 0 || event->value == PHASOR_TASK_STARTS)
        place = add(b, event, waits ? 0 : name);
    if (event->value == PHASOR_TASK_RUNS && tasks->list[place].name == 0)
        name_late(b, &tasks->list[place], name);
    tasks->list[place].since = now;
    tasks->list[place].what = waits ? name : 0;
}

void tasks_end(struct builder* b) {
    for (size_t i = 1; i < b->tasks.count; i++)
        if (b->tasks.list[i].goes_on)
            give_span(b, &b->tasks.list[i], b->model->duration, false);
}

void tasks_free(struct tasks* tasks) {
    free(tasks->places.slots);
    free(tasks->list);
}
