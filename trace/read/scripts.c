#include "read/scripts.h"

#include "read/memory.h"

static bool is_function(const struct span* span) {
    return span->kind == SPAN_CALLBACK && span->function == 0;
}

static bool has_end(const char* text, const char* end) {
    size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

bool scripts_are_timers(const struct trace_file* file) {
    char* said = trace_file_info(file, "async");
    free(said);
    return said != NULL;
}

bool scripts_are_in(const struct trace_file* file) {
    if (file->is_mapped && file->has_scripts)
        return true;
    size_t count = file->own_name_count != 0 ? file->own_name_count : file->name_count;
    for (size_t i = 0; i < count; i++) {
        const char* name = file->names[i].file;
        if (name != NULL && (name[0] == '[' || has_end(name, ".js") || has_end(name, ".mjs") ||
                             has_end(name, ".cjs")))
            return true;
    }
    return false;
}

/* The end of a span. Regrouping gives it to another that ends there. */
static struct reckoning end_of(const struct span* span) {
    return (struct reckoning){.time = span->end,
                              .ran = span->ran_before + span->ran,
                              .queued = span->queued_before + span->queued,
                              .known = span->has_shares};
}

static struct reckoning beginning_of(const struct span* span) {
    return (struct reckoning){.time = span->start,
                              .ran = span->ran_before,
                              .queued = span->queued_before,
                              .known = span->has_shares};
}

/* A span gets another end, and with it its own part of what the thread ran and waited. */
static void end_at(struct span* span, const struct reckoning* end) {
    span->end = end->time > span->start ? end->time : span->start;
    uint64_t length = span->end - span->start;
    uint64_t ran = end->ran > span->ran_before ? end->ran - span->ran_before : 0;
    uint64_t queued = end->queued > span->queued_before ? end->queued - span->queued_before : 0;
    span->has_shares &= end->known;
    span->ran = ran < length ? ran : length;
    span->queued = queued < length - span->ran ? queued : length - span->ran;
}

/* Something inside ended later than what did before. An instant has no account: its thread ran. */
static void extend(struct reckoning* content, const struct span* inside) {
    if (inside->end <= content->time)
        return;
    if (inside->has_shares || !content->known) {
        *content = end_of(inside);
        return;
    }
    content->ran += inside->end - content->time;
    content->time = inside->end;
}

/* The function takes the place of the span around it. */
static void merge(struct regrouping* r, uint32_t outer, uint32_t inner) {
    struct span* to = &r->spans[outer];
    const struct span* from = &r->spans[inner];
    to->name = from->name;
    to->exchange = from->exchange;
    to->route = from->route;
    to->maker = from->maker;
    if (from->value != 0)
        to->value = from->value;
    r->of[inner].removed = true;
    r->of[inner].stands_for = outer;
    r->of[outer].content = end_of(from);
}

/* The next function in a callback of the loop: a callback of its own. */
static void split(struct regrouping* r, uint32_t callback, uint32_t next) {
    struct span* spans = r->spans;
    uint32_t last = r->of[callback].stands_for;
    if (r->only_timers)
        r->of[last].content = beginning_of(&spans[next]);
    end_at(&spans[last], &r->of[last].content);
    spans[last].unfinished = false;
    spans[next].function = spans[callback].function;
    spans[next].inside = spans[callback].inside;
    r->of[next].content = end_of(&spans[next]);
    r->of[callback].stands_for = next;
}

static void place_function(struct regrouping* r, uint32_t number, uint32_t outer) {
    struct span* around = &r->spans[outer];
    if (around->name == 0 && around->kind == SPAN_TICK)
        merge(r, outer, number);
    else if (around->name == 0 && around->function != 0 && !r->of[outer].has_tick)
        r->of[outer].whole = end_of(around), merge(r, outer, number);
    else if (r->of[outer].whole.time != 0)
        split(r, outer, number);
}

/* Outside of everything: the main script, what runs at the end, and their ticks. */
static void place_outside(struct regrouping* r, uint32_t number) {
    struct span* span = &r->spans[number];
    uint32_t* last = &r->outside;
    if (span->kind == SPAN_ITERATION) {
        *last = 0;
    } else if (is_function(span)) {
        *last = number + 1;
    } else if (span->kind == SPAN_TICK && *last != 0) {
        span->inside = *last;
        const struct reckoning end = end_of(span);
        end_at(&r->spans[*last - 1], &end);
    }
}

static void place(struct regrouping* r, uint32_t number) {
    struct span* span = &r->spans[number];
    if (span->inside == 0) {
        place_outside(r, number);
        return;
    }
    uint32_t outer = span->inside - 1;
    if (is_function(span) && r->of[outer].stands_for == outer) {
        place_function(r, number, outer);
    } else if (is_function(span) && r->of[outer].whole.time != 0) {
        split(r, outer, number);
    }
    if (r->of[number].removed || span->inside != outer + 1)
        return;
    uint32_t around = r->of[outer].stands_for;
    span->inside = around + 1;
    r->of[around].has_tick |= span->kind == SPAN_TICK;
    extend(&r->of[around].content, span);
}

/* The last part of a callback that was split ends with it. */
static void end_parts(struct regrouping* r) {
    for (size_t i = 0; i < r->count; i++)
        if (r->of[i].whole.time != 0)
            end_at(&r->spans[r->of[i].stands_for], &r->of[i].whole);
}

static bool is_machinery(const struct span* span) {
    return span->kind == SPAN_CALLBACK && span->function != 0 && span->name == 0 &&
           (span->callback == PH_CB_CHECK || span->callback == PH_CB_IDLE ||
            span->callback == PH_CB_PREPARE || span->callback == PH_CB_ALLOC);
}

static void remove_machinery(struct regrouping* r) {
    for (size_t i = 0; i < r->count; i++)
        if (is_machinery(&r->spans[i]) && r->of[i].content.time == 0)
            r->of[i].removed = true;
}

/* Nothing is inside a span that is removed: what was belongs to another by now. */
static size_t close_gaps(struct regrouping* r) {
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++) {
        uint32_t stand_in = r->of[i].stands_for;
        if (r->of[i].removed) {
            r->of[i].stands_for = stand_in < i ? r->of[stand_in].stands_for : (uint32_t)count;
            continue;
        }
        struct span span = r->spans[i];
        if (span.inside != 0)
            span.inside = r->of[span.inside - 1].stands_for + 1;
        r->spans[count] = span;
        r->of[i].stands_for = (uint32_t)count++;
    }
    return count;
}

size_t scripts_regroup(struct regrouping* r, struct span* spans, size_t count) {
    if (count > r->room) {
        r->room = count * 2;
        free(r->of);
        r->of = must(calloc(r->room, sizeof(*r->of)));
    }
    r->spans = spans;
    r->count = count;
    r->outside = 0;
    for (size_t i = 0; i < count; i++)
        r->of[i] = (struct regrouped){.stands_for = (uint32_t)i};
    for (size_t i = 0; i < count; i++)
        place(r, (uint32_t)i);
    end_parts(r);
    if (!r->only_timers)
        remove_machinery(r);
    return close_gaps(r);
}
