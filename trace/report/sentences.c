/* What stands out in a recording, said in plain sentences. */

#include <inttypes.h>
#include <stdarg.h>

#include "read/memory.h"
#include "read/stacks.h"
#include "report/report.h"
#include "report/routes.h"
#include "report/signals.h"

enum {
    MOST_BLOCKS = 5,
    BLOCKED_NS = 10000000, /* that an iteration may take */
    MANY_SPINS = 1000
};

#define FULL_POOL 0.6
#define SPIN_SHARE 0.2 /* of a loop's time */

void report_say(struct report* report, const char* about, const struct span* span,
                const char* format, ...) {
    char text[4000];
    va_list args;
    if (report->sentence_count == MOST_SENTENCES)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    report->sentences[report->sentence_count++] =
        (struct sentence){.text = must(strdup(text)), .about = about, .span = span};
}

/* Who blocked, as the rest of a sentence: "the timer callback tick (app.js:3)". */
static void name_blocker(const struct report* report, const struct span* span, char* buffer,
                         size_t size) {
    char label[1400];
    const char* route = report_route(report, span);
    int used = snprintf(buffer, size, "%s%s", route, *route != '\0' ? " → " : "");
    buffer += used;
    size -= (size_t)used;
    /* An engine inside of native code told who it was. */
    if (span->culprit != 0 && span->called == span->culprit) {
        const char* function = report_function(report, span, label, sizeof(label));
        const char* native = span->native != 0 ? report->file->names[span->native].function : "";
        bool is_known = span->callback != PH_CB_OTHER;
        snprintf(buffer, size, "%s%s%s%s%s", native,
                 *native != '\0'   ? " in "
                 : span->in_native ? "native code that returned to "
                                   : "",
                 function, is_known ? " under uv_" : "",
                 is_known ? callback_name(span->callback) : "");
        return;
    }
    report_label(report, span, label, sizeof(label));
    bool script = span->function != 0 && report_script_name(report, span) != NULL;
    snprintf(buffer, size, "%s%s", script && *route == '\0' ? "the " : "", label);
}

/* ", called by slowRoute (app.js:7)": of the longest call; the function may be one of many uses. */
static void name_caller(const struct report* report, const struct function_stats* function,
                        char* buffer, size_t size) {
    char name[1200];
    const struct span* span = &function->blocked_worst.span;
    buffer[0] = '\0';
    if (span->caller != 0)
        snprintf(buffer, size, ", called by %s%s",
                 report_name(report, span->caller, name, sizeof(name)),
                 function->has_callers ? " and others" : "");
}

/* ", scheduled by start (app.js:9)": a script's own code is nobody in particular. */
static void name_maker(const struct report* report, const struct span* span, char* buffer,
                       size_t size) {
    char name[1200];
    buffer[0] = '\0';
    if (span->maker == 0 || span->maker == span->called)
        return;
    const char* maker = report_name(report, span->maker, name, sizeof(name));
    if (maker[0] != '(' || strncmp(maker, "(anonymous)", 11) == 0)
        snprintf(buffer, size, ", scheduled by %s", maker);
}

/* Where ticks took most of the time, or a function inside: ", mostly in the 5000 ticks that
 * followed it, in again (app.js:4)". */
static void name_inside(const struct report* report, const struct moment* moment, char* buffer,
                        size_t size) {
    char culprit[1300];
    bool more_ticks = moment->ticks >= moment->microtasks;
    uint32_t count = more_ticks ? moment->ticks : moment->microtasks;
    report_name_culprit(report, &moment->span, culprit, sizeof(culprit));
    if (count > 1)
        snprintf(buffer, size, ", mostly in the %" PRIu32 " %s that followed it%s%s", count,
                 more_ticks ? "ticks" : "microtasks", *culprit != '\0' ? ", " : "", culprit);
    else
        snprintf(buffer, size, "%s%s", *culprit != '\0' ? ", mostly " : "", culprit);
}

/* Where the rest of the time went, and what of its own time it did not run: " It waited 58 ms more
 * for a processor." */
void report_name_shares(const struct span* span, char* buffer, size_t size) {
    uint64_t own = report_own_time(span);
    uint64_t rest = own > span->ran ? own - span->ran : 0;
    char time[32];
    buffer[0] = '\0';
    if (!span->has_shares)
        return;
    if (span->queued > own / 4)
        snprintf(buffer, size, " It waited %s more for a processor.",
                 report_time(span->queued, time, sizeof(time)));
    else if (rest > own / 2)
        snprintf(buffer, size, " Of that it was %s in system calls.",
                 report_time(rest, time, sizeof(time)));
}

/* Events that are missing may have been its end. */
static const char* say_unfinished(const struct report* report, const struct span* span) {
    uint64_t end = report->model.began + span->end;
    if (!span->unfinished)
        return "";
    if (trace_file_has_gap(report->file, end, end + 1))
        return " at least (its end is missing)";
    return report->file->live ? ", which has not returned yet"
                              : ", which had not returned when the recording ended";
}

static void say_block(struct report* report, const struct function_stats* function) {
    char worst[32], together[32], name[32], label[1500], times[120] = "", timers[80] = "";
    char inside[1500], shares[80], maker[1300], caller[1300];
    const struct moment* moment = &function->blocked_worst;
    const struct span* span = &moment->span;
    size_t before = report->sentence_count;
    const char* loop = report_loop(report, span->track, name, sizeof(name));
    name_blocker(report, span, label, sizeof(label));
    name_caller(report, function, caller, sizeof(caller));
    name_maker(report, span, maker, sizeof(maker));
    name_inside(report, moment, inside, sizeof(inside));
    report_name_shares(span, shares, sizeof(shares));
    report_time(report_own_time(span), worst, sizeof(worst));
    if (function->late_timers > 0)
        snprintf(timers, sizeof(timers), "; %" PRIu64 " timer%s late because of it",
                 function->late_timers, function->late_timers == 1 ? " was" : "s were");
    if (function->blocked > 1)
        snprintf(times, sizeof(times), " (and %" PRIu64 " more time%s, %s together)",
                 function->blocked - 1, function->blocked == 2 ? "" : "s",
                 report_time(function->blocked_time, together, sizeof(together)));
    const char* unfinished = say_unfinished(report, span);
    if (span->function == 0 && moment->phase == PH_PHASE_COUNT)
        report_say(report, "blocked", span,
                   "%s took %s at %.3f s, outside of the loop's turns%s%s%s.%s", label, worst,
                   (double)span->start / 1e9, inside, unfinished, timers, shares);
    else
        report_say(report, "blocked", span, "%s was blocked %s at %.3f s%s by %s%s%s%s%s%s.%s",
                   loop, worst, (double)span->start / 1e9, times, label, caller, maker, inside,
                   unfinished, timers, shares);
    if (report->sentence_count == before)
        return;
    report->sentences[before].stack = report_heaviest_stack(report, span);
    report->sentences[before].strong[0] = must(strdup(worst));
    report->sentences[before].strong[1] = must(strdup(label));
}

static int compare_worst(const void* a, const void* b) {
    uint64_t x = report_own_time(&(*(const struct function_stats*const*)a)->blocked_worst.span),
             y = report_own_time(&(*(const struct function_stats*const*)b)->blocked_worst.span);
    return (x < y) - (x > y);
}

/* Those that have no sentence of their own. */
static void say_other_blocks(struct report* report, const struct function_stats** blocked,
                             size_t count) {
    char worst[32], together[32];
    uint64_t calls = 0, time = 0;
    for (size_t i = 0; i < count; i++) {
        calls += blocked[i]->blocked;
        time += blocked[i]->blocked_time;
    }
    report_time(report_own_time(&blocked[0]->blocked_worst.span), worst, sizeof(worst));
    if (calls == 1)
        report_say(report, "blocked", NULL, "One more callback blocked a loop, for %s.", worst);
    else
        report_say(report, "blocked", NULL,
                   "%" PRIu64
                   " more callbacks of %zu other function%s blocked loops, for at most %s each "
                   "and %s together.",
                   calls, count, count == 1 ? "" : "s", worst,
                   report_time(time, together, sizeof(together)));
}

static void say_what_blocked(struct report* report) {
    const struct function_stats** blocked =
        must(calloc(report->function_count + 1, sizeof(struct function_stats*)));
    size_t count = 0;
    for (size_t i = 0; i < report->function_count; i++)
        if (report->functions[i].blocked > 0)
            blocked[count++] = &report->functions[i];
    if (count > 1)
        qsort((void*)blocked, count, sizeof(blocked[0]), compare_worst);
    for (size_t i = 0; i < count && i < MOST_BLOCKS; i++)
        say_block(report, blocked[i]);
    if (count > MOST_BLOCKS)
        say_other_blocks(report, blocked + MOST_BLOCKS, count - MOST_BLOCKS);
    free((void*)blocked);
}

/* Callbacks that took long without being to blame. */
static void say_who_had_no_processor(struct report* report) {
    char time[32], ran[32], together[32], name[32], label[1500], times[120];
    for (size_t i = 0; i < report->loop_count; i++) {
        const struct loop_stats* loop = &report->loops[i];
        const struct span* span = &loop->starved_worst.span;
        if (loop->starved == 0)
            continue;
        times[0] = '\0';
        if (loop->starved > 1)
            snprintf(times, sizeof(times), " (and in %" PRIu64 " more callback%s, %s together)",
                     loop->starved - 1, loop->starved == 2 ? "" : "s",
                     report_time(loop->starved_time, together, sizeof(together)));
        name_blocker(report, span, label, sizeof(label));
        report_say(report, "loop", span,
                   "%s waited %s for a processor at %.3f s%s, in %s, which ran %s.",
                   report_loop(report, span->track, name, sizeof(name)),
                   report_time(span->queued, time, sizeof(time)), (double)span->start / 1e9, times,
                   label, report_time(span->ran, ran, sizeof(ran)));
    }
}

/* Between two turns a program had no processor, or it worked. */
static void say_outside(struct report* report, const struct loop_stats* loop, const char* times) {
    char time[32], ran[32], name[32], inside[1300], shares[80];
    const struct span* span = &loop->outside_worst;
    const char* who = report_loop(report, loop->track, name, sizeof(name));
    if (report_own_time(span) < BLOCKED_NS) {
        report_say(
            report, "loop", span,
            "%s waited %s for a processor at %.3f s outside of uv_run, where the program ran "
            "%s%s.",
            who, report_time(span->queued, time, sizeof(time)), (double)span->start / 1e9,
            report_time(span->ran, ran, sizeof(ran)), times);
        return;
    }
    report_name_culprit(report, span, inside, sizeof(inside));
    report_name_shares(span, shares, sizeof(shares));
    report_say(report, "blocked", span,
               "%s stood still %s at %.3f s because the program was outside of uv_run%s%s%s.%s",
               who, report_time(report_own_time(span), time, sizeof(time)),
               (double)span->start / 1e9, times, *inside != '\0' ? ", mostly " : "", inside,
               shares);
}

/* What a program that turns its loop itself does between the turns. */
static void say_what_was_outside(struct report* report) {
    char together[32], times[120];
    for (size_t i = 0; i < report->loop_count; i++) {
        const struct loop_stats* loop = &report->loops[i];
        const struct span* span = &loop->outside_worst;
        size_t before = report->sentence_count;
        if (span->end - span->start < BLOCKED_NS)
            continue;
        times[0] = '\0';
        if (loop->outside_count > 1)
            snprintf(times, sizeof(times), " (%s together in %" PRIu64 " times)",
                     report_time(loop->outside, together, sizeof(together)), loop->outside_count);
        say_outside(report, loop, times);
        if (report->sentence_count > before)
            report->sentences[before].stack = report_heaviest_stack(report, span);
    }
}

/* An iteration can be long without a long callback in it. */
static void say_what_was_long(struct report* report) {
    char time[32], queued[32], name[32];
    for (size_t i = 0; i < report->loop_count; i++) {
        const struct loop_stats* loop = &report->loops[i];
        const struct span* turn = &loop->worst_lag;
        if (loop->lag.most < BLOCKED_NS || loop->worst_lag_in_callbacks >= loop->lag.most / 2 ||
            loop->starved > 0)
            continue;
        report_time(loop->lag.most, time, sizeof(time));
        if (turn->has_shares && turn->queued > loop->lag.most / 2)
            report_say(report, "loop", NULL,
                       "%s took %s in iteration %" PRId64
                       ", of which it waited %s for a processor.",
                       report_loop(report, loop->track, name, sizeof(name)), time, turn->value,
                       report_time(turn->queued, queued, sizeof(queued)));
        else
            report_say(report, "loop", NULL,
                       "%s was busy for %s in iteration %" PRId64
                       ", but callbacks took less than half of "
                       "that%s.",
                       report_loop(report, loop->track, name, sizeof(name)), time, turn->value,
                       turn->has_shares ? "" : ": the process may not have had a processor");
    }
}

/* How much of the time from the first request to the last the pool's threads were at work. */
static double pool_load(const struct pool_stats* pool) {
    double room = pool->last > pool->first ? (double)(pool->last - pool->first) * pool->threads : 0;
    return room > 0 ? (double)pool->ran.sum / room : 0;
}

static void say_how_the_pool_did(struct report* report) {
    const struct pool_stats* pool = &report->pool;
    char worst[32], median[32], users[700], most[800] = "";
    if (pool->starved == 0)
        return;
    report_name_pool_users(report, users, sizeof(users));
    if (*users != '\0')
        snprintf(most, sizeof(most), " Most of its time went to %s.", users);
    bool full = pool_load(pool) > FULL_POOL;
    report_say(report, "pool", NULL,
               "%" PRIu64 " of %" PRIu64 " requests waited 10 ms or more for one of the pool's %u "
               "threads, the longest %s; they ran %s in the median.%s%s",
               pool->starved, pool->requests, pool->threads,
               report_time(pool->queued.most, worst, sizeof(worst)),
               report_time(histogram_at(&pool->ran, 0.5), median, sizeof(median)),
               full ? " All threads were busy: UV_THREADPOOL_SIZE sets their number." : "", most);
}

/* The function that ran most often on this loop while it did not sleep; of those that did about as
 * often, which is once in each turn, the one that took most: Node has a handle that only keeps the
 * loop from sleeping. NULL: none did. */
static const struct function_stats* find_spinner(const struct report* report,
                                                 const struct loop_stats* loop) {
    const struct function_stats* found = NULL;
    uint64_t most = 0;
    for (size_t i = 0; i < report->function_count; i++) {
        const struct function_stats* function = &report->functions[i];
        if (function->worst.span.track == loop->track && function->spins > most)
            most = function->spins;
    }
    for (size_t i = 0; i < report->function_count; i++) {
        const struct function_stats* function = &report->functions[i];
        if (function->worst.span.track == loop->track && function->spins > most - most / 10 - 1 &&
            function->spins > 0 && (found == NULL || function->time.sum > found->time.sum))
            found = function;
    }
    return found;
}

static void say_who_keeps_it_turning(struct report* report) {
    char name[32], time[32], label[1500];
    for (size_t i = 0; i < report->loop_count; i++) {
        const struct loop_stats* loop = &report->loops[i];
        const struct function_stats* spinner = find_spinner(report, loop);
        if (loop->spins < MANY_SPINS || (double)loop->spin_time < SPIN_SHARE * (double)loop->time)
            continue;
        const char* who = report_loop(report, loop->track, name, sizeof(name));
        report_time(loop->spin_time, time, sizeof(time));
        if (spinner == NULL) {
            report_say(report, "loop", NULL,
                       "%s turned %" PRIu64
                       " times without sleeping, %s together, and nothing ran in it.",
                       who, loop->spins, time);
            continue;
        }
        const struct span* span = &spinner->worst.span;
        name_blocker(report, span, label, sizeof(label));
        report_say(report, "loop", span,
                   "%s turned %" PRIu64
                   " times without sleeping, %s together: %s, which ran %" PRIu64
                   " times meanwhile, keeps it turning.",
                   who, loop->spins, time, label, spinner->spins);
    }
}

static void say_how_it_ended(struct report* report, const struct ph_trace_header* header) {
    const char* name = report_signal_name(header->end_value);
    if (header->end == PH_END_SIGNALLED)
        report_say(report, "recording", NULL, "The program was ended by %s (signal %d).",
                   name != NULL ? name : "a signal", header->end_value);
    else if (header->end == PH_END_EXITED && header->end_value != 0)
        report_say(report, "recording", NULL, "The program exited with status %d.",
                   header->end_value);
    else if (header->end == PH_END_GONE)
        report_say(
            report, "recording", NULL,
            "The program was killed, or left without the usual steps; what it did last was taken "
            "from its memory.");
}

static bool has_turned(const struct report* report) {
    for (size_t i = 0; i < report->loop_count; i++)
        if (report->loops[i].iterations > 0)
            return true;
    return false;
}

static void say_what_joining_hides(struct report* report) {
    char* version = trace_file_info(report->file, "version");
    if (version != NULL && strstr(version, " joined") != NULL)
        report_say(report, "recording", NULL,
                   "The program ran on a libuv that is not ours, %.*s, and was joined: all that it "
                   "did between two waits for events is one callback here, and its timers, its "
                   "pool and what it opened since can't be seen.",
                   (int)strcspn(version, " "), version);
    free(version);
}

static void say_what_is_missing(struct report* report) {
    const struct ph_trace_header* header = &report->file->header;
    char time[32];
    if (report->loop_count == 0 && !report->file->partial && report->sentence_count == 0)
        report_say(
            report, "recording", NULL, "%s",
            header->status == PH_TRACE_COMPLETE
                ? "No loop has run."
                : "Nothing that its loops may have done is in the file, which is written ten times "
                  "a second.");
    else if (report->sentence_count == 0 && !report->file->partial && !has_turned(report))
        report_say(report, "recording", NULL, "No loop has turned.");
    if (report->model.from > report->model.duration)
        report_say(report, "recording", NULL, "Nothing is in that part: the recording lasts %s.",
                   report_time(report->model.duration, time, sizeof(time)));
    char* moment = trace_file_info(report->file, "moment");
    if (header->overwritten > 0 && !report->file->partial)
        report_say(report, "recording", NULL, "%s",
                   moment != NULL
                       ? "This is a moment of a program that was watched: what was before and "
                         "after it was not kept."
                       : "The beginning was overwritten to stay within the limit: this is the "
                         "newest part.");
    free(moment);
    if (report->model.lost > 0)
        report_say(report, "recording", NULL,
                   "%" PRIu64
                   " events were lost because they came faster than they could be written.",
                   report->model.lost);
    if (header->status == PH_TRACE_FAILED)
        report_say(report, "recording", NULL,
                   "The recording ended early because the file could not be written: %s.",
                   strerror(header->error < 0 && header->error > -4096 ? -header->error : 0));
    else if (header->status == PH_TRACE_RECORDING && header->end != PH_END_UNKNOWN)
        report_say(
            report, "recording", NULL,
            "The last moments are missing, up to a tenth of a second: the program left without "
            "the usual steps, and there was no shared memory to keep them in.");
    else if (header->status == PH_TRACE_RECORDING && !report->file->partial && !report->file->live)
        report_say(report, "recording", NULL,
                   "The recording has no end: the program is still running, was killed, or left "
                   "without the usual steps.");
    say_what_joining_hides(report);
    char* why = trace_file_info(report->file, "nameless");
    if (why != NULL)
        report_say(report, "recording", NULL, "Functions in JavaScript have no names here: %s.",
                   why);
    free(why);
    say_how_it_ended(report, header);
    for (size_t i = 0; i < report->file->problem_count; i++)
        report_say(report, "recording", NULL, "Damaged: %s.", report->file->problems[i]);
    if (symbols_problem(report->symbols) != NULL)
        report_say(report, "recording", NULL, "Note: %s.", symbols_problem(report->symbols));
}

/* Where the recording began, on demand, while a thread was in a callback, there is no span. */
static void say_who_was_inside(struct report* report) {
    enum { SOON_NS = 2000000000 };
    const struct stacks* stacks = report->file->stacks;
    char name[1300], time[32];
    size_t count = 0;
    for (size_t i = 0; i < stacks->sample_count; i += count) {
        const struct stack_sample* first = &stacks->samples[i];
        size_t inside = 0;
        for (count = 0; i + count < stacks->sample_count && first[count].tid == first->tid; count++)
            inside += inside == count && !first[count].used && first[count].since == first->since;
        if (inside == 0 || first->since > report->model.began + SOON_NS || report->model.from > 0 ||
            first[inside - 1].time - first->since < STACKS_LONG_NS ||
            trace_file_has_gap(report->file, report->model.began, first->time))
            continue;
        struct culprit culprit = stacks_culprit(stacks, first, inside);
        size_t before = report->sentence_count;
        report_say(
            report, "blocked", NULL,
            "The loop on thread %d was inside %s when the recording began, and for %s more at "
            "least.",
            first->tid,
            culprit.name != 0 ? report_name(report, culprit.name, name, sizeof(name))
                              : "a callback",
            report_time(first[inside - 1].time - first->since, time, sizeof(time)));
        if (report->sentence_count > before)
            report->sentences[before].stack = report_stack(report, first, inside);
    }
}

void report_add_sentences(struct report* report) {
    say_who_was_inside(report);
    say_what_blocked(report);
    say_what_was_outside(report);
    report_say_start_up(report);
    say_who_had_no_processor(report);
    say_what_was_long(report);
    say_how_the_pool_did(report);
    report_say_routes(report);
    say_who_keeps_it_turning(report);
    report_say_waiting(report);
    say_what_is_missing(report);
}
