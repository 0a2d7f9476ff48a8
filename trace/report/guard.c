#include "report/guard.h"

#include <ctype.h>

#include "read/memory.h"
#include "report/quantity.h"

static const struct {
    const char* name;
    enum guard_figure figure;
} figures[] = {{"lag", GUARD_LAG},
               {"lateness", GUARD_LATENESS},
               {"queue wait", GUARD_QUEUE_WAIT},
               {"ran", GUARD_RAN},
               {"way back", GUARD_WAY_BACK},
               {"outside", GUARD_OUTSIDE},
               {"utilisation", GUARD_UTILISATION},
               {"lost", GUARD_LOST}};

/* Parsing */

static const char* skip_blanks(const char* text) {
    return text + strspn(text, " \t");
}

/* The word, if the text begins with it; else NULL. */
static const char* skip_word(const char* text, const char* word) {
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && !isalnum((unsigned char)text[length])
               ? skip_blanks(text + length)
               : NULL;
}

static const char* parse_statistic(struct guard* guard, const char* text) {
    static const struct {
        const char* name;
        double share;
    } names[] = {{"median", 0.5}, {"mean", -1}, {"worst", 1}, {"max", 1}};
    char* end;
    guard->share = 1;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char* rest = skip_word(text, names[i].name);
        if (rest != NULL) {
            guard->share = names[i].share;
            return rest;
        }
    }
    if (text[0] != 'p' || !isdigit((unsigned char)text[1]))
        return text;
    double percent = strtod(text + 1, &end);
    if (percent > 100 || (*end != ' ' && *end != '\t'))
        return text;
    guard->share = percent / 100;
    return skip_blanks(end);
}

static const char* parse_figure(struct guard* guard, const char* text) {
    if (*text == '"' || *text == '\'') {
        const char* end = strchr(text + 1, *text);
        size_t length = end != NULL ? (size_t)(end - text - 1) : 0;
        if (length == 0 || length >= sizeof(guard->function))
            return NULL;
        memcpy(guard->function, text + 1, length);
        guard->function[length] = '\0';
        guard->figure = GUARD_FUNCTION;
        return skip_blanks(end + 1);
    }
    for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
        const char* rest = skip_word(text, figures[i].name);
        if (rest != NULL) {
            guard->figure = figures[i].figure;
            return rest;
        }
    }
    return NULL;
}

static bool parse_value(struct guard* guard, const char* text) {
    const char* end;
    char* behind;
    uint64_t ns;
    if (guard->figure == GUARD_UTILISATION || guard->figure == GUARD_LOST) {
        if (!isdigit((unsigned char)*text))
            return false;
        guard->value = strtod(text, &behind);
        end = skip_blanks(behind);
        if (guard->figure == GUARD_UTILISATION) {
            if (*end != '%')
                return false;
            guard->value /= 100;
            end++;
        }
        return *skip_blanks(end) == '\0';
    }
    if (!quantity_time(text, false, &end, &ns))
        return false;
    guard->value = (double)ns;
    return *skip_blanks(end) == '\0';
}

bool guard_parse(struct guard* guard, const char* text, char* error, size_t size) {
    *guard = (struct guard){.text = text};
    const char* at = parse_statistic(guard, skip_blanks(text));
    const char* after = parse_figure(guard, at);
    if (after == NULL) {
        snprintf(error, size,
                 "--fail-if '%s': %s is no figure; lag, lateness, queue wait, ran, way back, "
                 "outside, utilisation, lost or a function's name in quotes is",
                 text, *at != '\0' ? at : "nothing");
        return false;
    }
    guard->less = *after == '<';
    if (*after != '<' && *after != '>') {
        snprintf(error, size, "--fail-if '%s': > or < is missing before '%s'", text, after);
        return false;
    }
    guard->or_equal = after[1] == '=';
    after = skip_blanks(after + 1 + guard->or_equal);
    if (parse_value(guard, after))
        return true;
    snprintf(error, size, "--fail-if '%s': '%s' is no %s", text, after,
             guard->figure == GUARD_UTILISATION ? "share; 80% is"
             : guard->figure == GUARD_LOST      ? "number"
                                                : "time; 20ms, 1.5s or 300us is");
    return false;
}

/* Checking */

static bool is_beyond(const struct guard* guard, double value) {
    if (guard->or_equal && value == guard->value)
        return true;
    return guard->less ? value < guard->value : value > guard->value;
}

static bool times_hold(const struct guard* guard, const struct histogram* times, const char* of,
                       char* where, size_t size) {
    char text[32];
    if (times->count == 0)
        return false;
    double value = guard->share < 0 ? (double)times->sum / (double)times->count
                                    : (double)histogram_at(times, guard->share);
    if (!is_beyond(guard, value))
        return false;
    snprintf(where, size, "it is %s (%s)", report_time((uint64_t)value, text, sizeof(text)), of);
    return true;
}

static bool functions_hold(struct guard* guard, const struct report* report, char* where,
                           size_t size) {
    char label[1400];
    size_t count;
    bool holds = false;
    struct function_stats* functions = report_merge_functions(report, &count);
    for (size_t i = 0; i < count && !holds; i++) {
        report_label(report, &functions[i].worst.span, label, sizeof(label));
        if (strstr(label, guard->function) == NULL)
            continue;
        guard->ran = true;
        holds = times_hold(guard, &functions[i].time, label, where, size);
    }
    report_free_functions(functions, count);
    return holds;
}

static bool loop_holds(const struct guard* guard, const struct report* report,
                       const struct loop_stats* loop, char* where, size_t size) {
    const char* name = report->model.tracks[loop->track].name;
    char text[32];
    double share = loop->time > 0 && loop->time > loop->waited
                       ? (double)(loop->time - loop->waited) / (double)loop->time
                       : 0;
    uint64_t outside = loop->outside_worst.end - loop->outside_worst.start;
    switch (guard->figure) {
    case GUARD_LAG:
        return times_hold(guard, &loop->lag, name, where, size);
    case GUARD_LATENESS:
        return times_hold(guard, &loop->lateness, name, where, size);
    case GUARD_OUTSIDE:
        snprintf(where, size, "it is %s (%s)", report_time(outside, text, sizeof(text)), name);
        return loop->outside_count > 0 && is_beyond(guard, (double)outside);
    default:
        snprintf(where, size, "it is %.1f %% (%s)", 100 * share, name);
        return loop->iterations > 0 && !report_is_idle(loop) && is_beyond(guard, share);
    }
}

bool guard_is_void(const struct guard* guard) {
    return guard->figure == GUARD_FUNCTION && !guard->ran;
}

bool guard_holds(struct guard* guard, const struct report* report, char* where, size_t size) {
    const struct pool_stats* pool = &report->pool;
    switch (guard->figure) {
    case GUARD_QUEUE_WAIT:
        return times_hold(guard, &pool->queued, "the thread pool", where, size);
    case GUARD_RAN:
        return times_hold(guard, &pool->ran, "the thread pool", where, size);
    case GUARD_WAY_BACK:
        return times_hold(guard, &pool->returned, "the thread pool", where, size);
    case GUARD_LOST:
        snprintf(where, size, "it is %llu", (unsigned long long)report->model.lost);
        return is_beyond(guard, (double)report->model.lost);
    case GUARD_FUNCTION:
        return functions_hold(guard, report, where, size);
    default:
        break;
    }
    for (size_t i = 0; i < report->loop_count; i++)
        if (loop_holds(guard, report, &report->loops[i], where, size))
            return true;
    return false;
}
