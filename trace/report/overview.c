/* What the page says at its top beside the report's sentences: how each loop did, which callback
 * was the longest where none blocked, and how the pool did where that was nothing special. */

#include <inttypes.h>

#include "report/report.h"

/* Without the brace that ends it. */
static void write_one(const char* about, const struct span* span, const char* text, bool first,
                      FILE* out) {
    fprintf(out, "%s{\"about\": \"%s\", \"text\": ", first ? "" : ",\n", about);
    report_print_json(out, text);
    if (span != NULL)
        fprintf(out, ", \"track\": %u, \"start\": %" PRIu64, span->track, span->start);
}

static void write_whole(const char* about, const struct span* span, const char* text, bool first,
                        FILE* out) {
    write_one(about, span, text, first, out);
    fputc('}', out);
}

static void write_sentence(const struct sentence* sentence, bool first, FILE* out) {
    write_one(sentence->about, sentence->span, sentence->text, first, out);
    if (sentence->strong[0] != NULL) {
        fputs(", \"strong\": [", out);
        report_print_json(out, sentence->strong[0]);
        fputs(", ", out);
        report_print_json(out, sentence->strong[1]);
        fputc(']', out);
    }
    fputc('}', out);
}

static const char* share_words(double share, char* buffer, size_t size) {
    if (share > 0 && share < 0.001)
        snprintf(buffer, size, "< 0.1 %%");
    else
        snprintf(buffer, size, "%.*f %%", share < 0.1 ? 1 : 0, share * 100);
    return buffer;
}

static void write_turns(const struct report* report, bool first, FILE* out) {
    char text[200], name[32], time[32], share[32], times[32];
    bool any = false;
    for (size_t i = 0; i < report->loop_count; i++) {
        const struct loop_stats* loop = &report->loops[i];
        if (loop->iterations == 0)
            continue;
        snprintf(times, sizeof(times), "%" PRIu64 " times", loop->iterations);
        snprintf(text, sizeof(text), "%s turned %s in %s and was busy for %s of it.",
                 report_loop(report, loop->track, name, sizeof(name)),
                 loop->iterations == 1 ? "once" : times,
                 report_time(loop->time, time, sizeof(time)),
                 share_words(report_utilisation(loop), share, sizeof(share)));
        write_whole("turned", NULL, text, first && !any, out);
        any = true;
    }
    if (!any)
        write_whole("turned", NULL, "The loop did not turn while this was recorded.", first, out);
}

/* The longest callback inside of a turn. */
static const struct span* longest_in_turns(const struct report* report) {
    const struct span* found = NULL;
    for (size_t i = 0; i < report->loop_count; i++)
        for (size_t k = 0; k < report->loops[i].longest_count; k++) {
            const struct moment* moment = &report->loops[i].longest[k];
            const struct span* span = &moment->span;
            if (moment->phase < PH_PHASE_COUNT &&
                (found == NULL || span->end - span->start > found->end - found->start))
                found = span;
        }
    return found;
}

static void write_calm(const struct report* report, FILE* out) {
    char function[1200], text[1400], time[32];
    const struct span* span = longest_in_turns(report);
    for (size_t i = 0; i < report->sentence_count; i++)
        if (report->sentences[i].span != NULL)
            return;
    if (span == NULL)
        return;
    snprintf(text, sizeof(text), "Nothing blocked %s: the longest callback, %s, took %s.",
             report->loop_count > 1 ? "any of them" : "it",
             report_function(report, span, function, sizeof(function)),
             report_time(span->end - span->start, time, sizeof(time)));
    write_whole("calm", span, text, false, out);
}

static void write_pool(const struct report* report, FILE* out) {
    const struct histogram *queued = &report->pool.queued, *ran = &report->pool.ran;
    char text[300], median[32], worst[32], took[32];
    for (size_t i = 0; i < report->sentence_count; i++)
        if (strcmp(report->sentences[i].about, "pool") == 0)
            return;
    report_time(histogram_at(queued, 0.5), median, sizeof(median));
    report_time(queued->most, worst, sizeof(worst));
    if (queued->count == 0)
        return;
    if (queued->count == 1)
        snprintf(text, sizeof(text),
                 "One piece of work went to the pool: it waited %s for a thread and took %s.",
                 worst, report_time(ran->most, took, sizeof(took)));
    else if (queued->count < 4)
        snprintf(text, sizeof(text),
                 "%" PRIu64 " pieces of work went to the pool: the longest wait for a thread was "
                 "%s.",
                 queued->count, worst);
    else
        snprintf(text, sizeof(text),
                 "%" PRIu64 " pieces of work went to the pool: half of them waited less than %s "
                 "for a thread, the unluckiest %s.",
                 queued->count, median, worst);
    write_whole("pool", NULL, text, false, out);
}

void report_write_overview(const struct report* report, FILE* out) {
    fputs("\"sentences\": [", out);
    for (size_t i = 0; i < report->sentence_count; i++)
        write_sentence(&report->sentences[i], i == 0, out);
    write_turns(report, report->sentence_count == 0, out);
    write_calm(report, out);
    write_pool(report, out);
    fputc(']', out);
}
