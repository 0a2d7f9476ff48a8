/* Coroutines that nobody can wake any more. */

#include <phasor.h>

#include "report/report.h"

void report_add_waiting(struct report* report, const struct span* span) {
    struct waiting* waiting = &report->waiting;
    if (span->kind != SPAN_MARK || span->detail != PHASOR_MARK_TASK_WAITS || !span->unfinished)
        return;
    if (waiting->count < SHOWN_WAITING)
        waiting->shown[waiting->count] = (struct waiter){span->track, span->name};
    waiting->count++;
}

static const char* text_of(const struct report* report, uint32_t name) {
    const struct trace_file* file = report->file;
    const char* text = name < file->name_count ? file->names[name].function : NULL;
    return text != NULL && *text != '\0' ? text : "something";
}

/* As long as a handle or a request is open, something may come. */
void report_say_waiting(struct report* report) {
    const struct waiting* waiting = &report->waiting;
    if (waiting->count == 0 || report->alive.count > 0)
        return;
    char who[400];
    size_t at = 0;
    for (size_t i = 0; i < waiting->count && i < SHOWN_WAITING && at < sizeof(who); i++) {
        const struct waiter* one = &waiting->shown[i];
        at += (size_t)snprintf(who + at, sizeof(who) - at, "%s%.40s waits in %.40s",
                               i > 0 ? ", " : "", report->model.tracks[one->track].name,
                               text_of(report, one->what));
    }
    if (waiting->count > SHOWN_WAITING && at < sizeof(who))
        snprintf(who + at, sizeof(who) - at, ", and %zu more wait", waiting->count - SHOWN_WAITING);
    report_say(report, "loop", NULL,
               "%zu coroutine%s can't go on, since nothing is left that could wake %s: %s.",
               waiting->count, waiting->count == 1 ? "" : "s", waiting->count == 1 ? "it" : "them",
               who);
}
