/* Programs in JavaScript, or whatever else runs on a runtime that names its functions.
 *
 * The recording has the callbacks of the loop and, inside them, the functions and ticks that the
 * runtime tells of. People think of it the other way around: a timer's callback is their function,
 * and its ticks belong to it. So
 * - a tick without a name gets that of the function that it runs first;
 * - a callback of the loop becomes the function that runs in it. If there are several (timers that
 *   were due together, immediates), each becomes a callback of its own;
 * - the ticks that follow a function are inside it: it ends when the last of them has;
 * - what the runtime needs for itself (an empty check callback, an allocation) is left out.
 */

#include "read/memory.h"
#include "read/model.h"

struct regrouping {
    struct model* model;
    uint32_t* stands_for; /* by span: where what is inside it belongs */
    uint64_t* content;    /* by span: when the last thing inside ended */
    uint64_t* whole;      /* by span: when the loop's callback ends, for those that were split */
    bool* has_tick;
    bool* removed;
    uint32_t* outside; /* by track: the function that ran last outside of everything, + 1 */
};

static bool is_function(const struct span* span) {
    return span->kind == SPAN_CALLBACK && span->function == 0;
}

static bool has_end(const char* text, const char* end) {
    size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

/* Whether names say that the program is a script. */
static bool is_script(const struct trace_file* file) {
    for (size_t i = 0; i < file->name_count; i++) {
        const char* name = file->names[i].file;
        if (name != NULL && (name[0] == '[' || has_end(name, ".js") || has_end(name, ".mjs") ||
                             has_end(name, ".cjs")))
            return true;
    }
    return false;
}

/* The function takes the place of the span around it. */
static void merge(struct regrouping* r, uint32_t outer, uint32_t inner) {
    struct span* to = &r->model->spans[outer];
    const struct span* from = &r->model->spans[inner];
    to->name = from->name;
    if (from->value != 0)
        to->value = from->value;
    r->removed[inner] = true;
    r->stands_for[inner] = outer;
    r->content[outer] = from->end;
}

/* The next function in a callback of the loop: a callback of its own. */
static void split(struct regrouping* r, uint32_t callback, uint32_t next) {
    struct span* spans = r->model->spans;
    uint32_t last = r->stands_for[callback];
    spans[last].end = r->content[last];
    spans[last].unfinished = false;
    spans[next].function = spans[callback].function;
    spans[next].inside = spans[callback].inside;
    r->content[next] = spans[next].end;
    r->stands_for[callback] = next;
}

static void place_function(struct regrouping* r, uint32_t number, uint32_t outer) {
    struct span* around = &r->model->spans[outer];
    if (around->name == 0 && around->kind == SPAN_TICK)
        merge(r, outer, number);
    else if (around->name == 0 && around->function != 0 && !r->has_tick[outer])
        r->whole[outer] = around->end, merge(r, outer, number);
    else if (r->whole[outer] != 0)
        split(r, outer, number);
}

/* Outside of everything: the main script, what runs at the end, and their ticks. */
static void place_outside(struct regrouping* r, uint32_t number) {
    struct span* span = &r->model->spans[number];
    uint32_t* last = &r->outside[span->track];
    if (span->kind == SPAN_ITERATION) {
        *last = 0;
    } else if (is_function(span)) {
        *last = number + 1;
    } else if (span->kind == SPAN_TICK && *last != 0) {
        span->inside = *last;
        r->model->spans[*last - 1].end = span->end;
    }
}

static void place(struct regrouping* r, uint32_t number) {
    struct span* span = &r->model->spans[number];
    if (span->inside == 0) {
        place_outside(r, number);
        return;
    }
    uint32_t outer = span->inside - 1;
    if (is_function(span) && r->stands_for[outer] == outer) {
        place_function(r, number, outer);
    } else if (is_function(span) && r->whole[outer] != 0) {
        split(r, outer, number);
    }
    if (r->removed[number] || span->inside != outer + 1)
        return;
    uint32_t around = r->stands_for[outer];
    span->inside = around + 1;
    r->has_tick[around] |= span->kind == SPAN_TICK;
    if (span->end > r->content[around])
        r->content[around] = span->end;
}

/* The last part of a callback that was split ends with it. */
static void end_parts(struct regrouping* r) {
    for (size_t i = 0; i < r->model->span_count; i++)
        if (r->whole[i] != 0)
            r->model->spans[r->stands_for[i]].end = r->whole[i];
}

static bool is_machinery(const struct span* span) {
    return span->kind == SPAN_CALLBACK && span->function != 0 && span->name == 0 &&
           (span->callback == PH_CB_CHECK || span->callback == PH_CB_IDLE ||
            span->callback == PH_CB_PREPARE || span->callback == PH_CB_ALLOC);
}

static void remove_machinery(struct regrouping* r) {
    for (size_t i = 0; i < r->model->span_count; i++)
        if (is_machinery(&r->model->spans[i]) && r->content[i] == 0)
            r->removed[i] = true;
}

/* Nothing is inside a span that is removed: what was belongs to another by now. */
static void close_gaps(struct regrouping* r) {
    struct model* model = r->model;
    uint32_t* moved = r->stands_for;
    size_t count = 0;
    for (size_t i = 0; i < model->span_count; i++) {
        uint32_t stand_in = r->stands_for[i];
        if (r->removed[i]) {
            moved[i] = stand_in < i ? moved[stand_in] : (uint32_t)count;
            continue;
        }
        struct span span = model->spans[i];
        if (span.inside != 0)
            span.inside = moved[span.inside - 1] + 1;
        model->spans[count] = span;
        moved[i] = (uint32_t)count++;
    }
    for (size_t i = 0; i < model->object_count; i++)
        if (model->objects[i].submitted_in != 0)
            model->objects[i].submitted_in = moved[model->objects[i].submitted_in - 1] + 1;
    model->span_count = count;
}

void model_regroup_scripts(struct model* model) {
    size_t count = model->span_count + 1;
    model->is_script = is_script(model->file);
    if (!model->is_script)
        return;
    struct regrouping r = {.model = model,
                           .stands_for = must(calloc(count, sizeof(uint32_t))),
                           .content = must(calloc(count, sizeof(uint64_t))),
                           .whole = must(calloc(count, sizeof(uint64_t))),
                           .has_tick = must(calloc(count, sizeof(bool))),
                           .removed = must(calloc(count, sizeof(bool))),
                           .outside = must(calloc(NO_TRACK + 1, sizeof(uint32_t)))};
    for (size_t i = 0; i < model->span_count; i++)
        r.stands_for[i] = (uint32_t)i;
    for (size_t i = 0; i < model->span_count; i++)
        place(&r, (uint32_t)i);
    end_parts(&r);
    remove_machinery(&r);
    close_gaps(&r);
    free(r.stands_for);
    free(r.content);
    free(r.whole);
    free(r.has_tick);
    free(r.removed);
    free(r.outside);
}
