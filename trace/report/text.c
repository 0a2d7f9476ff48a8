/* The report for people: wrapped at the terminal's width where there is one, else a line per fact.
 */

#include <inttypes.h>
#include <stdarg.h>

#include "read/memory.h"
#include "report/report.h"
#include "report/routes.h"

enum {
    TITLE = 15,      /* where the text behind a title begins */
    LABEL = 70,      /* where a function's label begins */
    LABEL_ROOM = 30, /* a label that has less goes to a line of its own */
    FUNCTIONS = 12,
    BRIEF_FUNCTIONS = 3 /* where rows are scarce */
};

static double percent(uint64_t part, uint64_t whole) {
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static const char* plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

/* "12 ms" and "5 %" stay together. */
static size_t word_length(const char* text) {
    static const char* const units[] = {"s", "ms", "µs", "ns", "%"};
    size_t length = strcspn(text, " ");
    if (length == 0 || text[length] == '\0' || text[length - 1] < '0' || text[length - 1] > '9')
        return length;
    const char* next = text + length + 1;
    size_t bare = strcspn(next, " ,;.)");
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (strlen(units[i]) == bare && strncmp(next, units[i], bare) == 0)
            return length + 1 + strcspn(next, " ");
    return length;
}

/* Text that goes on in column `at` and is broken between words, each further line indented. */
static void write_words(const struct report* report, FILE* out, const char* text, unsigned at,
                        unsigned indent) {
    for (bool first = true; *text != '\0'; first = false) {
        size_t length = word_length(text);
        char* word = must(strndup(text, length));
        text += length + (text[length] == ' ');
        unsigned wide = report_columns(word);
        if (!first && report->columns > 0 && at + 1 + wide > report->columns) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
        } else if (!first) {
            fputc(' ', out);
            at++;
        }
        report_print_safe(out, word);
        free(word);
        at += wide;
    }
    fputc('\n', out);
}

/* "  title        text" */
__attribute__((format(printf, 4, 5))) static void
write_line(const struct report* report, FILE* out, const char* title, const char* format, ...) {
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    fprintf(out, "  %-*s", TITLE - 2, title);
    write_words(report, out, text, TITLE, TITLE);
}

static void write_head(const struct report* report, FILE* out) {
    char* command = trace_file_command(report->file);
    char time[32], last[64] = "", *text;
    if (report->file->partial)
        snprintf(last, sizeof(last), " in the last %s",
                 report_time(report_duration(report), time, sizeof(time)));
    if (asprintf(&text, "%s (process %u): recorded for %s, %zu event%s%s",
                 *command != '\0' ? command : "A program", report->file->header.pid,
                 report_time(report->model.duration, time, sizeof(time)), report->file->event_count,
                 plural(report->file->event_count), last) < 0)
        must(NULL);
    write_words(report, out, text, 0, 2);
    free(text);
    free(command);
}

static void write_samples(const struct report* report, const char* title,
                          const struct histogram* samples, FILE* out) {
    char median[32], high[32], worst[32];
    if (samples->count == 0)
        return;
    write_line(report, out, title, "median %s, 99 %% under %s, worst %s",
               report_time(histogram_at(samples, 0.5), median, sizeof(median)),
               report_time(histogram_at(samples, 0.99), high, sizeof(high)),
               report_time(samples->most, worst, sizeof(worst)));
}

static void write_phases(const struct loop_stats* loop, FILE* out) {
    char time[32];
    uint64_t busy = loop->time > loop->waited ? loop->time - loop->waited : 0;
    fprintf(out, "\n  phase         time  of busy  callbacks\n");
    for (unsigned i = 0; i < PH_PHASE_COUNT; i++)
        fprintf(out, "  %-8s %s  %5.1f %%  %9" PRIu64 "\n", phase_name(i),
                report_time_column(loop->phase_time[i], 9, time, sizeof(time)),
                percent(loop->phase_time[i], busy), loop->phase_callbacks[i]);
    fprintf(out, "  %-8s %s\n", "(asleep)",
            report_time_column(loop->waited, 9, time, sizeof(time)));
}

/* Where the loop was kept from turning other than by its own work. */
static void write_processor(const struct report* report, const struct loop_stats* loop, FILE* out) {
    char ran[32], queued[32], rest[32];
    uint64_t known = loop->ran + loop->queued;
    if (loop->outside_count > 0)
        write_line(
            report, out, "outside", "%s of uv_run in %" PRIu64 " times, worst %s",
            report_time(loop->outside, ran, sizeof(ran)), loop->outside_count,
            report_time(loop->outside_worst.end - loop->outside_worst.start, rest, sizeof(rest)));
    if (loop->accounted == 0 || loop->ran > loop->accounted - loop->accounted / 20)
        return;
    write_line(
        report, out, "processor", "ran %s, waited %s for one, %s in system calls",
        report_time(loop->ran, ran, sizeof(ran)), report_time(loop->queued, queued, sizeof(queued)),
        report_time(loop->accounted > known ? loop->accounted - known : 0, rest, sizeof(rest)));
}

/* Of several loops each says whose it is. */
static void write_thread(const struct report* report, const struct track* track, FILE* out) {
    if (report->loop_count > 1 && track->tid > 0) {
        fprintf(out, " (thread %d%s", track->tid, track->thread[0] != '\0' ? ", " : "");
        report_print_safe(out, track->thread);
        fputc(')', out);
    }
    fputc('\n', out);
}

static void write_loop(const struct report* report, const struct loop_stats* loop, FILE* out) {
    char busy[32], waited[32], text[300];
    uint64_t busy_ns = loop->time > loop->waited ? loop->time - loop->waited : 0;
    double seconds = (double)report_duration(report) / 1e9;
    fprintf(out, "\n%s", report_loop(report, loop->track, busy, sizeof(busy)));
    write_thread(report, &report->model.tracks[loop->track], out);
    if (loop->iterations > 0 && !report_is_idle(loop))
        write_line(report, out, "utilisation", "%.1f %% (busy %s, waiting %s)",
                   percent(busy_ns, loop->time), report_time(busy_ns, busy, sizeof(busy)),
                   report_time(loop->waited, waited, sizeof(waited)));
    write_line(report, out, "iterations", "%" PRIu64 " (%.0f a second), %" PRIu64 " callback%s",
               loop->iterations, seconds > 0 ? (double)loop->iterations / seconds : 0,
               loop->callbacks, plural(loop->callbacks));
    report_describe_start_up(report, loop, text, sizeof(text));
    if (*text != '\0')
        write_line(report, out, "start-up", "%s", text);
    if (loop->ticks + loop->microtasks > 0)
        write_line(report, out, "ticks", "%" PRIu64 ", and %" PRIu64 " microtask%s", loop->ticks,
                   loop->microtasks, plural(loop->microtasks));
    if (!report_is_idle(loop))
        write_samples(report, "lag", &loop->lag, out);
    write_samples(report, "timers late", &loop->lateness, out);
    if (loop->waits > 0)
        write_line(report, out, "polls",
                   "%" PRIu64 " (%" PRIu64 " asked to sleep), %.1f %% brought events, %.2f "
                   "events each, %" PRIu64 " wake-up%s",
                   loop->waits, loop->blocking_waits, percent(loop->waits_with_events, loop->waits),
                   loop->waits_with_events > 0
                       ? (double)loop->events / (double)loop->waits_with_events
                       : 0,
                   loop->wakes, plural(loop->wakes));
    write_processor(report, loop, out);
    if (loop->callbacks > 0 && !report->brief)
        write_phases(loop, out);
}

static void write_pool(const struct report* report, FILE* out) {
    const struct pool_stats* pool = &report->pool;
    char cancelled[48] = "", ring[64] = "";
    if (pool->requests == 0 && pool->on_ring == 0)
        return;
    if (pool->cancelled > 0)
        snprintf(cancelled, sizeof(cancelled), ", %" PRIu64 " cancelled", pool->cancelled);
    if (pool->on_ring > 0)
        snprintf(ring, sizeof(ring), "; %" PRIu64 " more went to io_uring", pool->on_ring);
    fprintf(out, "\nThe thread pool\n");
    write_line(report, out, "threads", "%u, %" PRIu64 " request%s%s%s", pool->threads,
               pool->requests, plural(pool->requests), cancelled, ring);
    write_samples(report, "queue wait", &pool->queued, out);
    write_samples(report, "ran", &pool->ran, out);
    write_samples(report, "way back", &pool->returned, out);
}

/* The columns of the table; as words alone where they have no room. */
static void write_row(const struct report* report, char* columns, const char* label, FILE* out) {
    bool table = report->columns == 0 || report->columns >= LABEL;
    bool beside = report->columns == 0 || report->columns >= LABEL + LABEL_ROOM;
    if (!table) {
        char* to = columns;
        for (const char* from = columns + strspn(columns, " "); *from != '\0'; from++)
            if (*from != ' ' || from[1] != ' ')
                *to++ = *from;
        *to = '\0';
    }
    fputs(table ? "  " : "    ", out);
    if (!table) {
        char* text;
        if (asprintf(&text, "%s%s%s", columns, *label != '\0' ? " " : "", label) < 0)
            must(NULL);
        write_words(report, out, text, 4, 6);
        free(text);
        return;
    }
    fputs(columns, out);
    if (*label == '\0') {
        fputc('\n', out);
        return;
    }
    fputs(beside ? "  " : "\n    ", out);
    write_words(report, out, label, beside ? LABEL : 4, beside ? LABEL : 4);
}

static void write_function(const struct report* report, const struct function_stats* function,
                           FILE* out) {
    char total[32], median[32], high[32], worst[32], on_cpu[16] = "-", columns[200];
    char label[3000], inside[1500];
    if (function->accounted > 0)
        snprintf(on_cpu, sizeof(on_cpu), "%.0f %%", percent(function->on_cpu, function->accounted));
    report_label(report, &function->worst.span, label, sizeof(label));
    report_name_inside(report, function, inside, sizeof(inside));
    size_t used = strlen(label);
    if (*inside != '\0')
        snprintf(label + used, sizeof(label) - used, ", %s", inside);
    snprintf(columns, sizeof(columns), "%s %8" PRIu64 " %s %s %s %9.3f s %6s",
             report_time_column(function->time.sum, 9, total, sizeof(total)), function->time.count,
             report_time_column(histogram_at(&function->time, 0.5), 9, median, sizeof(median)),
             report_time_column(histogram_at(&function->time, 0.99), 9, high, sizeof(high)),
             report_time_column(function->time.most, 9, worst, sizeof(worst)),
             (double)function->worst.span.start / 1e9, on_cpu);
    write_row(report, columns, label, out);
}

static void write_functions(const struct report* report, FILE* out) {
    char head[] = "    total    calls    median      99 %     worst          at on CPU";
    size_t count, most = report->brief ? BRIEF_FUNCTIONS : FUNCTIONS;
    struct function_stats* functions = report_merge_functions(report, &count);
    if (count > 0) {
        fputs("\nBy function\n", out);
        write_row(report, head, "", out);
    }
    for (size_t i = 0; i < count && i < most; i++)
        write_function(report, &functions[i], out);
    if (count > most)
        fprintf(out, "  and %zu more; --json has them all\n", count - most);
    report_free_functions(functions, count);
}

static void write_sentences(const struct report* report, FILE* out) {
    if (report->sentence_count == 0)
        return;
    fprintf(out, "\nWhat stands out\n");
    for (size_t i = 0; i < report->sentence_count; i++) {
        fputs("  - ", out);
        write_words(report, out, report->sentences[i].text, 4, 4);
        if (report->sentences[i].stack != NULL && !report->brief) {
            fputs("      ", out);
            write_words(report, out, report->sentences[i].stack, 6, 8);
        }
    }
}

void report_write_text(const struct report* report, FILE* out) {
    write_head(report, out);
    /* What matters most first: the end may not be seen. */
    if (report->brief)
        write_sentences(report, out);
    for (size_t i = 0; i < report->loop_count; i++)
        if (report->loops[i].iterations > 0 || report->loop_count == 1)
            write_loop(report, &report->loops[i], out);
    write_pool(report, out);
    if (!report->brief)
        report_write_routes(report, out);
    write_functions(report, out);
    if (!report->brief)
        write_sentences(report, out);
}
