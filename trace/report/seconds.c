/* What a loop did in each second, and its longest turns: what is left of a recording that is too
 * long to be shown whole. */

#include "read/memory.h"
#include "report/report.h"

enum {
    SECOND = 1000000000,
    MOST_SECONDS = 1 << 14, /* else each stands for two, four ... */
    MOST_LOOPS = 32,        /* that have seconds */
    MOST_OUTLIERS = 4096
};

void report_begin_seconds(struct report* report) {
    uint64_t began, duration;
    model_bounds(report->file, &began, &duration);
    report->second_width = SECOND;
    while (duration / report->second_width >= MOST_SECONDS)
        report->second_width *= 2;
    report->second_count = (size_t)(duration / report->second_width) + 1;
    report->second_rows = must(calloc(report->second_count, sizeof(*report->second_rows)));
}

static void swap(struct outlier* a, struct outlier* b) {
    struct outlier kept = *a;
    *a = *b;
    *b = kept;
}

/* The heap has the shortest at the top, which goes when there are too many. */
static void add_outlier(struct report* report, struct outlier outlier) {
    struct outlier* heap = report->outliers;
    size_t at = 0, count = report->outlier_count;
    if (count < MOST_OUTLIERS) {
        *APPEND(report->outliers, report->outlier_count) = outlier;
        heap = report->outliers;
        for (at = count; at > 0 && heap[(at - 1) / 2].lag > heap[at].lag; at = (at - 1) / 2)
            swap(&heap[at], &heap[(at - 1) / 2]);
        return;
    }
    if (outlier.lag <= heap[0].lag)
        return;
    heap[0] = outlier;
    for (;;) {
        size_t least = at, left = 2 * at + 1, right = left + 1;
        if (left < count && heap[left].lag < heap[least].lag)
            least = left;
        if (right < count && heap[right].lag < heap[least].lag)
            least = right;
        if (least == at)
            return;
        swap(&heap[at], &heap[least]);
        at = least;
    }
}

static struct second* second_at(struct report* report, struct loop_stats* loop, uint64_t time) {
    size_t second = (size_t)(time / report->second_width);
    if (second >= report->second_count)
        second = report->second_count - 1;
    while (loop->second_count <= second)
        APPEND(loop->seconds, loop->second_count);
    return &loop->seconds[second];
}

/* The part of each second from the one time to the other. */
static void add_busy(struct report* report, struct loop_stats* loop, uint64_t from, uint64_t to) {
    while (from < to) {
        uint64_t left = report->second_width - from % report->second_width;
        uint64_t end = left < to - from ? from + left : to;
        second_at(report, loop, from)->busy += end - from;
        from = end;
    }
}

void report_add_turn(struct report* report, struct loop_stats* loop, const struct span* unit,
                     size_t count, const struct span* turn, uint64_t lag) {
    uint64_t busy_from = turn->start, callbacks = 0;
    size_t number = (size_t)(loop - report->loops);
    add_outlier(report, (struct outlier){lag, turn->start, turn->end});
    if (number >= MOST_LOOPS)
        return;
    for (const struct span* span = turn + 1; span < unit + count && span->start <= turn->end;
         span++) {
        if (span->track != turn->track)
            continue;
        callbacks += span->kind == SPAN_CALLBACK && span->function != 0;
        if (span->kind != SPAN_WAIT)
            continue;
        add_busy(report, loop, busy_from, span->start);
        busy_from = span->end;
    }
    add_busy(report, loop, busy_from, turn->end);
    struct second* second = second_at(report, loop, turn->end);
    second->turns++;
    second->callbacks += callbacks;
    if (second->turns > 1 && lag <= second->worst)
        return;
    second->worst = lag;
    second->worst_start = turn->start;
    second->worst_end = turn->end;
}
