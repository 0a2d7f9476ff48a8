#include "report/choice.h"

#include <inttypes.h>

#include "read/memory.h"

enum {
    MOST_SPANS = 2000000,  /* of a recording that is shown whole */
    MOST_ROWS = 1000000,   /* else, about */
    ROWS_OF_TURN = 40,     /* at least */
    AROUND_NS = 25000000,  /* before and after a moment */
    NAMED = 64,            /* ranges that the others are compared with */
    START_NS = 100000000,  /* of the recording */
    WORST_FUNCTIONS = 1000 /* whose longest call is shown */
};

/* Ranges are added, the most important first, while there is room for what is in them. */
struct plan {
    struct choice* choice;
    const struct report* report;
    uint64_t room; /* rows */
};

/* How many spans there are between the two times, if a second is the same throughout. While the
 * only loop is in one turn there are few. */
static uint64_t estimate(const struct report* report, uint64_t from, uint64_t to) {
    uint64_t width = report->second_width;
    double rows = ROWS_OF_TURN;
    while (from < to) {
        uint64_t left = width - from % width, second = from / width;
        uint64_t end = left < to - from ? from + left : to;
        if (second < report->second_count)
            rows += (double)report->second_rows[second] * (double)(end - from) / (double)width;
        from = end;
    }
    return rows < (double)UINT64_MAX / 2 ? (uint64_t)rows : UINT64_MAX / 2;
}

static void add_range(struct plan* plan, uint64_t from, uint64_t to, bool one_turn) {
    uint64_t rows =
        one_turn && plan->report->loop_count == 1 ? ROWS_OF_TURN : estimate(plan->report, from, to);
    for (size_t i = 0; i < plan->choice->count && i < NAMED; i++)
        if (plan->choice->ranges[i].from <= from && to <= plan->choice->ranges[i].to)
            return;
    if (rows > plan->room)
        return;
    plan->room -= rows;
    *APPEND(plan->choice->ranges, plan->choice->count) = (struct range){from, to};
}

static void add_around(struct plan* plan, uint64_t from, uint64_t to) {
    add_range(plan, from > AROUND_NS ? from - AROUND_NS : 0, from, false);
    add_range(plan, to, to < UINT64_MAX - AROUND_NS ? to + AROUND_NS : to, false);
}

static int compare_outliers(const void* a, const void* b) {
    uint64_t x = ((const struct outlier*)a)->lag, y = ((const struct outlier*)b)->lag;
    return (x < y) - (x > y);
}

static int compare_ranges(const void* a, const void* b) {
    uint64_t x = ((const struct range*)a)->from, y = ((const struct range*)b)->from;
    return (x > y) - (x < y);
}

static void merge_ranges(struct choice* choice) {
    size_t kept = 0;
    if (choice->count > 1)
        qsort(choice->ranges, choice->count, sizeof(*choice->ranges), compare_ranges);
    for (size_t i = 0; i < choice->count; i++) {
        struct range* last = kept > 0 ? &choice->ranges[kept - 1] : NULL;
        if (last == NULL || choice->ranges[i].from > last->to)
            choice->ranges[kept++] = choice->ranges[i];
        else if (choice->ranges[i].to > last->to)
            last->to = choice->ranges[i].to;
    }
    choice->count = kept;
}

/* What sentences and tables lead to. */
static void add_named(struct plan* plan) {
    const struct report* report = plan->report;
    for (size_t i = 0; i < report->sentence_count; i++)
        if (report->sentences[i].span != NULL)
            add_range(plan, report->sentences[i].span->start, report->sentences[i].span->end, true);
    for (size_t i = 0; i < report->longest_count; i++)
        add_range(plan, report->longest[i].span.start, report->longest[i].span.end, true);
    for (size_t i = 0; i < report->loop_count; i++)
        for (size_t k = 0; k < report->loops[i].longest_count; k++)
            add_range(plan, report->loops[i].longest[k].span.start,
                      report->loops[i].longest[k].span.end, true);
    for (size_t i = 0; i < report->function_count && i < WORST_FUNCTIONS; i++)
        add_range(plan, report->functions[i].worst.span.start, report->functions[i].worst.span.end,
                  true);
}

/* The longest turn of each second. */
static void add_seconds(struct plan* plan) {
    const struct report* report = plan->report;
    for (size_t i = 0; i < report->loop_count; i++)
        for (size_t k = 0; k < report->loops[i].second_count; k++) {
            const struct second* second = &report->loops[i].seconds[k];
            /* From the end: what kept it busy comes after what it waited for. */
            if (second->turns > 0)
                add_range(plan,
                          second->worst_end -
                              (second->worst < second->worst_end ? second->worst : 0),
                          second->worst_end, true);
        }
}

void choice_make(struct choice* choice, const struct report* report) {
    *choice = (struct choice){.everything = report->span_count <= MOST_SPANS};
    if (choice->everything)
        return;
    struct plan plan = {choice, report, MOST_ROWS};
    size_t count = report->outlier_count;
    struct outlier* outliers = must(calloc(count + 1, sizeof(*outliers)));
    if (count > 0)
        memcpy(outliers, report->outliers, count * sizeof(*outliers));
    qsort(outliers, count, sizeof(*outliers), compare_outliers);
    add_range(&plan, 0, START_NS, false);
    add_named(&plan);
    for (size_t i = 0; i < count; i++)
        add_range(&plan,
                  outliers[i].end - (outliers[i].lag < outliers[i].end ? outliers[i].lag : 0),
                  outliers[i].end, true);
    add_seconds(&plan);
    for (size_t i = 0; i < count; i++)
        add_around(&plan, outliers[i].start, outliers[i].end);
    free(outliers);
    merge_ranges(choice);
}

void choice_free(struct choice* choice) {
    free(choice->ranges);
}

bool choice_has(const struct choice* choice, const struct span* unit, size_t count) {
    uint64_t from = unit[0].start, to = unit[0].end;
    size_t low = 0, high = choice->count;
    if (choice->everything)
        return true;
    for (size_t i = 1; i < count; i++)
        if (unit[i].inside == 0 && unit[i].end > to)
            to = unit[i].end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (choice->ranges[middle].to < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < choice->count && choice->ranges[low].from <= to;
}

static void write_column(const struct loop_stats* loop, const char* name, size_t field, FILE* out) {
    fprintf(out, ", \"%s\": [", name);
    for (size_t i = 0; i < loop->second_count; i++)
        fprintf(out, "%s%" PRIu64, i > 0 ? "," : "",
                *(const uint64_t*)((const char*)&loop->seconds[i] + field));
    fputc(']', out);
}

void choice_write(const struct choice* choice, const struct report* report, FILE* out) {
    const char* comma = "";
    fprintf(out, ",\n\"seconds\": {\"width\": %" PRIu64 ", \"tracks\": [", report->second_width);
    for (size_t i = 0; i < report->loop_count; i++) {
        const struct loop_stats* loop = &report->loops[i];
        if (loop->second_count == 0)
            continue;
        fprintf(out, "%s\n{\"track\": %u", comma, loop->track);
        write_column(loop, "turns", offsetof(struct second, turns), out);
        write_column(loop, "callbacks", offsetof(struct second, callbacks), out);
        write_column(loop, "busy", offsetof(struct second, busy), out);
        write_column(loop, "worst", offsetof(struct second, worst), out);
        fputc('}', out);
        comma = ",";
    }
    fputs("]}", out);
    if (choice->everything)
        return;
    fputs(",\n\"detail\": [", out);
    for (size_t i = 0; i < choice->count; i++)
        fprintf(out, "%s[%" PRIu64 ",%" PRIu64 "]", i > 0 ? "," : "", choice->ranges[i].from,
                choice->ranges[i].to);
    fputc(']', out);
}
