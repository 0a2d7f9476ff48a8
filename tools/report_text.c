#include <inttypes.h>

#include "report.h"
#include "trace_memory.h"

static double percent(uint64_t part, uint64_t whole) {
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static void write_head(const struct report* report, FILE* out) {
    char* command = trace_file_command(report->file);
    char time[32];
    report_print_safe(out, *command != '\0' ? command : "A program");
    fprintf(out, " (process %u): recorded for %s, %zu events", report->file->header.pid,
            report_time(report->model->duration, time, sizeof(time)), report->file->event_count);
    if (report->file->partial)
        fprintf(out, " in the last %s",
                report_time(report->model->duration - report->model->first, time, sizeof(time)));
    fputc('\n', out);
    free(command);
}

static void write_samples(const char* title, const struct samples* samples, FILE* out) {
    char median[32], high[32], worst[32];
    if (samples->count == 0)
        return;
    fprintf(out, "  %-12s median %s, 99 %% under %s, worst %s\n", title,
            report_time(samples_at(samples, 0.5), median, sizeof(median)),
            report_time(samples_at(samples, 0.99), high, sizeof(high)),
            report_time(samples_at(samples, 1), worst, sizeof(worst)));
}

static void write_phases(const struct loop_stats* loop, FILE* out) {
    char time[32];
    uint64_t busy = loop->time > loop->waited ? loop->time - loop->waited : 0;
    fprintf(out, "\n  phase          time   of busy  callbacks\n");
    for (unsigned i = 0; i < PH_PHASE_COUNT; i++)
        fprintf(out, "  %-8s %s  %6.1f %%  %9" PRIu64 "\n", phase_name(i),
                report_time_column(loop->phase_time[i], 10, time, sizeof(time)),
                percent(loop->phase_time[i], busy), loop->phase_callbacks[i]);
    fprintf(out, "  %-8s %s\n", "(asleep)",
            report_time_column(loop->waited, 10, time, sizeof(time)));
}

static void write_loop(const struct report* report, const struct loop_stats* loop, FILE* out) {
    char busy[32], waited[32];
    uint64_t busy_ns = loop->time > loop->waited ? loop->time - loop->waited : 0;
    double seconds = (double)(report->model->duration - report->model->first) / 1e9;
    fprintf(out, "\n%s\n", report_loop(report, loop->track, busy, sizeof(busy)));
    fprintf(out, "  %-12s %.1f %% (busy %s, waiting %s)\n", "utilisation",
            percent(busy_ns, loop->time), report_time(busy_ns, busy, sizeof(busy)),
            report_time(loop->waited, waited, sizeof(waited)));
    fprintf(out, "  %-12s %" PRIu64 " (%.0f a second), %" PRIu64 " callbacks\n", "iterations",
            loop->iterations, seconds > 0 ? (double)loop->iterations / seconds : 0,
            loop->callbacks);
    if (loop->ticks + loop->microtasks > 0)
        fprintf(out, "  %-12s %" PRIu64 ", and %" PRIu64 " microtasks\n", "ticks", loop->ticks,
                loop->microtasks);
    write_samples("lag", &loop->lag, out);
    if (loop->lateness.count > 0)
        write_samples("timers late", &loop->lateness, out);
    if (loop->waits > 0)
        fprintf(out,
                "  %-12s %" PRIu64 " (%" PRIu64 " asked to sleep), %.1f %% brought events, %.2f "
                "events each, %" PRIu64 " wake-ups\n",
                "polls", loop->waits, loop->blocking_waits,
                percent(loop->waits_with_events, loop->waits),
                loop->waits_with_events > 0 ? (double)loop->events / (double)loop->waits_with_events
                                            : 0,
                loop->wakes);
    write_phases(loop, out);
}

static void write_pool(const struct report* report, FILE* out) {
    const struct pool_stats* pool = &report->pool;
    if (pool->requests == 0 && pool->on_ring == 0)
        return;
    fprintf(out, "\nThe thread pool\n  %-12s %u, %" PRIu64 " requests", "threads", pool->threads,
            pool->requests);
    if (pool->cancelled > 0)
        fprintf(out, ", %" PRIu64 " cancelled", pool->cancelled);
    if (pool->on_ring > 0)
        fprintf(out, "; %" PRIu64 " more went to io_uring", pool->on_ring);
    fputc('\n', out);
    write_samples("queue wait", &pool->queued, out);
    write_samples("ran", &pool->ran, out);
    write_samples("way back", &pool->returned, out);
}

static void write_longest(const struct report* report, FILE* out) {
    char label[1400], time[32];
    if (report->longest_count == 0)
        return;
    fprintf(out, "\nThe longest callbacks\n");
    for (size_t i = 0; i < report->longest_count; i++) {
        const struct span* span = report->longest[i];
        unsigned phase = report_phase(report, span);
        report_label(report, span, label, sizeof(label));
        fprintf(out, "  %s  at %.3f s  %-8s ",
                report_time_column(span->end - span->start, 9, time, sizeof(time)),
                (double)span->start / 1e9, phase_name(phase));
        report_print_safe(out, label);
        fputc('\n', out);
    }
}

void report_write_text(const struct report* report, FILE* out) {
    write_head(report, out);
    for (size_t i = 0; i < report->loop_count; i++)
        if (report->loops[i].iterations > 0 || report->loop_count == 1)
            write_loop(report, &report->loops[i], out);
    write_pool(report, out);
    write_longest(report, out);
    if (report->sentence_count == 0)
        return;
    fprintf(out, "\nWhat stands out\n");
    for (size_t i = 0; i < report->sentence_count; i++) {
        fputs("  - ", out);
        report_print_safe(out, report->sentences[i].text);
        fputc('\n', out);
    }
}
