#include <inttypes.h>

#include "commands.h"
#include "read/memory.h"
#include "report/compare.h"
#include "report/reading.h"

static const char usage[] =
    "Usage: phasor diff BEFORE... -- AFTER... [--json]\n"
    "       phasor diff BEFORE AFTER [--json]\n"
    "Says what became slower or faster between recordings of two versions of a program: "
    "functions,\n"
    "phases, lag, the pool. Several runs of each are needed, 4 at least, best made in turns: a "
    "run\n"
    "counts as one, with the median of its calls. A difference is told if it would come about by\n"
    "chance in less than two of a thousand such commands and is more than 5 %. Time for which a\n"
    "callback waited for a processor does not count. Of one run each, only the figures are told.\n"
    "  --json  for programs: every comparison as JSON, times in ns\n"
    "Status: 0 nothing is known to be slower, 1 a file is damaged or can't be read, 2 a bad "
    "command\n"
    "line, 3 something became slower.\n";

enum { SLOWER_STATUS = 3, MOST_LINES = 20, MOST_CHANGES = 10 };

/* Of a change that is told where nobody knows what it comes from. */
#define LARGE_CHANGE 0.05

/* All calls of all runs, and each run. */
struct side {
    struct histogram all;
    struct histogram run; /* the one that is being read */
    struct runs runs;
};

/* What has the same name before and after; either may be of nothing. */
struct pair {
    const char* what; /* "function", "phase", "loop", "pool" */
    char* name;
    struct side before;
    struct side after;
    struct comparison result;
};

struct pairs {
    struct pair* all;
    size_t count;
    size_t runs[2];     /* recordings that were read: before, after */
    uint64_t first[2];  /* ns since 1970, when the first of them began */
    uint64_t latest[2]; /* and the last */
};

static struct pair* find_pair(struct pairs* pairs, const char* what, const char* name) {
    for (size_t i = 0; i < pairs->count; i++)
        if (strcmp(pairs->all[i].what, what) == 0 && strcmp(pairs->all[i].name, name) == 0)
            return &pairs->all[i];
    struct pair* pair = APPEND(pairs->all, pairs->count);
    pair->what = what;
    pair->name = must(strdup(name));
    return pair;
}

/* Without the time for which a thread waited for a processor, where that is known: it says more of
 * the machine than of the program. */
static void add_times(struct pairs* pairs, bool is_after, const char* what, const char* name,
                      const struct histogram* times, const struct waits* waits) {
    if (times->count == 0)
        return;
    struct pair* pair = find_pair(pairs, what, name);
    struct histogram* run = is_after ? &pair->after.run : &pair->before.run;
    histogram_merge(run, times);
    if (waits == NULL)
        return;
    histogram_remove(run, &waits->with);
    histogram_merge(run, &waits->without);
}

static void end_run(struct side* side) {
    if (side->run.count == 0)
        return;
    histogram_merge(&side->all, &side->run);
    *APPEND(side->runs.medians, side->runs.count) = histogram_at(&side->run, 0.5);
    histogram_free(&side->run);
    side->run = (struct histogram){0};
}

/* Functions are known by their names: addresses are others in the next run. */
static void add_functions(struct pairs* pairs, bool is_after, const struct report* report) {
    char label[1400];
    size_t count;
    struct function_stats* functions = report_merge_functions(report, &count);
    for (size_t i = 0; i < count; i++) {
        report_label(report, &functions[i].worst.span, label, sizeof(label));
        add_times(pairs, is_after, "function", label, &functions[i].time, functions[i].waits);
    }
    report_free_functions(functions, count);
}

static void add_report(struct pairs* pairs, bool is_after, const struct report* report) {
    uint64_t began = report->file->header.wall_clock;
    add_functions(pairs, is_after, report);
    for (size_t i = 0; i < report->loop_count; i++) {
        const struct loop_stats* loop = &report->loops[i];
        add_times(pairs, is_after, "loop", "lag", &loop->lag, loop->lag_waits);
        add_times(pairs, is_after, "loop", "timers late", &loop->lateness, NULL);
        for (unsigned k = 0; k < PH_PHASE_COUNT; k++)
            add_times(pairs, is_after, "phase", phase_name(k), &loop->phase_times[k],
                      loop->phase_waits[k]);
    }
    add_times(pairs, is_after, "pool", "queue wait", &report->pool.queued, NULL);
    add_times(pairs, is_after, "pool", "ran", &report->pool.ran, NULL);
    add_times(pairs, is_after, "pool", "way back", &report->pool.returned, NULL);
    for (size_t i = 0; i < pairs->count; i++)
        end_run(is_after ? &pairs->all[i].after : &pairs->all[i].before);
    if (pairs->runs[is_after]++ == 0 || began < pairs->first[is_after])
        pairs->first[is_after] = began;
    if (began > pairs->latest[is_after])
        pairs->latest[is_after] = began;
}

static bool is_of_both(const struct pair* pair) {
    return pair->before.runs.count > 0 && pair->after.runs.count > 0;
}

static bool has_enough(const struct pair* pair) {
    return pair->before.runs.count >= COMPARE_FEWEST && pair->after.runs.count >= COMPARE_FEWEST;
}

static void compare_all(struct pairs* pairs) {
    size_t tests = 0;
    for (size_t i = 0; i < pairs->count; i++)
        tests += has_enough(&pairs->all[i]);
    for (size_t i = 0; i < pairs->count; i++)
        pairs->all[i].result =
            compare_runs(&pairs->all[i].before.runs, &pairs->all[i].after.runs, tests);
}

/* How much longer all calls took together than they would have before: the worst comes first. */
static double weight(const struct pair* pair) {
    const struct histogram *x = &pair->before.all, *y = &pair->after.all;
    double before = (double)x->sum / (double)(x->count + !x->count);
    double after = (double)y->sum / (double)(y->count + !y->count);
    double change = (after - before) * (double)y->count;
    return change < 0 ? -change : change;
}

static int compare_weights(const void* a, const void* b) {
    double x = weight(a), y = weight(b);
    return (x < y) - (x > y);
}

static size_t count_verdicts(const struct pairs* pairs, enum verdict verdict) {
    size_t count = 0;
    for (size_t i = 0; i < pairs->count; i++)
        count += pairs->all[i].result.verdict == verdict;
    return count;
}

static void write_change(const char* name, uint64_t before, uint64_t after, FILE* out) {
    char x[32], y[32];
    fprintf(out, "%s %s to %s (%+.0f %%)", name, report_time(before, x, sizeof(x)),
            report_time(after, y, sizeof(y)),
            before > 0 ? 100.0 * ((double)after - (double)before) / (double)before : 100.0);
}

static void write_pair(const struct pair* pair, FILE* out) {
    const struct histogram *before = &pair->before.all, *after = &pair->after.all;
    fprintf(out, "  %s ", pair->what);
    report_print_safe(out, pair->name);
    fputs("\n    ", out);
    write_change("median", histogram_at(before, 0.5), histogram_at(after, 0.5), out);
    write_change(", 99 %", histogram_at(before, 0.99), histogram_at(after, 0.99), out);
    fprintf(out, ", %" PRIu64 " and %" PRIu64 " times", before->count, after->count);
    if (pair->result.verdict == VERDICT_FEW)
        fputc('\n', out);
    else if (pair->result.chance < 0.0001)
        fputs(", more than 99.99 % sure\n", out);
    else
        fprintf(out, ", %.2f %% sure\n", 100 * (1 - pair->result.chance));
}

static void write_verdict(const struct pairs* pairs, enum verdict verdict, const char* title,
                          FILE* out) {
    size_t count = count_verdicts(pairs, verdict), written = 0;
    if (count == 0)
        return;
    fprintf(out, "%s\n", title);
    for (size_t i = 0; i < pairs->count && written < MOST_LINES; i++)
        if (pairs->all[i].result.verdict == verdict) {
            write_pair(&pairs->all[i], out);
            written++;
        }
    if (count > written)
        fprintf(out, "  and %zu more; --json has them all\n", count - written);
    fputc('\n', out);
}

static void write_only(const struct pairs* pairs, bool before, FILE* out) {
    const char* comma = before ? "Only before: " : "Only after: ";
    for (size_t i = 0; i < pairs->count; i++) {
        const struct pair* pair = &pairs->all[i];
        if ((before ? pair->after.runs.count : pair->before.runs.count) > 0)
            continue;
        fputs(comma, out);
        report_print_safe(out, pair->name);
        comma = ", ";
    }
    fputs(*comma == ',' ? ".\n" : "", out);
}

static bool is_enough(const struct pairs* pairs) {
    return pairs->runs[0] >= COMPARE_FEWEST && pairs->runs[1] >= COMPARE_FEWEST;
}

/* One side as a whole before the other: a machine that changed meanwhile looks the same. */
static bool are_in_turns(const struct pairs* pairs) {
    return pairs->latest[0] >= pairs->first[1] && pairs->latest[1] >= pairs->first[0];
}

/* Where it can't be known whether the program has changed or only the run. */
static void write_changes(const struct pairs* pairs, FILE* out) {
    size_t written = 0;
    fprintf(out,
            "With %zu and %zu recordings it can't be known whether a difference comes from the\n"
            "program or from the run. Of each side %d or more, made in turns, can tell:\n"
            "phasor diff before*.trace -- after*.trace\n",
            pairs->runs[0], pairs->runs[1], COMPARE_FEWEST);
    for (size_t i = 0; i < pairs->count && written < MOST_CHANGES; i++) {
        double change = pairs->all[i].result.change;
        if (!is_of_both(&pairs->all[i]) || (change < LARGE_CHANGE && change > -LARGE_CHANGE))
            continue;
        if (written++ == 0)
            fputs("\nOther figures\n", out);
        write_pair(&pairs->all[i], out);
    }
    if (written == 0)
        fputs("\nNo median has changed by 5 % or more.\n", out);
    fputc('\n', out);
}

static void write_text(const struct pairs* pairs, FILE* out) {
    size_t same = count_verdicts(pairs, VERDICT_SAME), few = 0;
    if (!is_enough(pairs)) {
        write_changes(pairs, out);
    } else {
        write_verdict(pairs, VERDICT_SLOWER, "Slower", out);
        write_verdict(pairs, VERDICT_FASTER, "Faster", out);
        for (size_t i = 0; i < pairs->count; i++)
            few += is_of_both(&pairs->all[i]) && !has_enough(&pairs->all[i]);
        fprintf(out, "No difference that can be told: %zu of %zu", same, pairs->count);
        if (few > 0)
            fprintf(out, "; in too few of the runs to say: %zu", few);
        fputs(".\n", out);
        if (!are_in_turns(pairs))
            fputs("All runs of one side were made before those of the other: if the machine has\n"
                  "changed meanwhile, that is in the figures. Recorded in turns, it is not.\n",
                  out);
    }
    write_only(pairs, true, out);
    write_only(pairs, false, out);
}

static void write_side(const char* name, const struct side* side, FILE* out) {
    const struct histogram* times = &side->all;
    fprintf(out,
            ", \"%s\": {\"count\": %" PRIu64 ", \"median\": %" PRIu64 ", \"p99\": %" PRIu64
            ", \"worst\": %" PRIu64 ", \"sum\": %" PRIu64 ", \"runs\": [",
            name, times->count, histogram_at(times, 0.5), histogram_at(times, 0.99), times->most,
            times->sum);
    for (size_t i = 0; i < side->runs.count; i++)
        fprintf(out, "%s%" PRIu64, i > 0 ? ", " : "", side->runs.medians[i]);
    fputs("]}", out);
}

static void write_json(const struct pairs* pairs, FILE* out) {
    static const char* const verdicts[] = {"few", "same", "slower", "faster"};
    fprintf(out,
            "{\"runs\": {\"before\": %zu, \"after\": %zu, \"inTurns\": %s}, \"comparisons\": [",
            pairs->runs[0], pairs->runs[1], are_in_turns(pairs) ? "true" : "false");
    for (size_t i = 0; i < pairs->count; i++) {
        const struct pair* pair = &pairs->all[i];
        fprintf(out, "%s\n  {\"what\": \"%s\", \"name\": ", i > 0 ? "," : "", pair->what);
        report_print_json(out, pair->name);
        fprintf(out, ", \"verdict\": \"%s\", \"chance\": %.6g, \"larger\": %.6f",
                verdicts[pair->result.verdict], pair->result.chance, pair->result.larger);
        write_side("before", &pair->before, out);
        write_side("after", &pair->after, out);
        fputc('}', out);
    }
    fputs("]}\n", out);
}

static void free_side(struct side* side) {
    histogram_free(&side->all);
    histogram_free(&side->run);
    free(side->runs.medians);
}

static void free_pairs(struct pairs* pairs) {
    for (size_t i = 0; i < pairs->count; i++) {
        free(pairs->all[i].name);
        free_side(&pairs->all[i].before);
        free_side(&pairs->all[i].after);
    }
    free(pairs->all);
}

/* The files, in the order in which they are named, and how many of them are before. */
struct request {
    char** files;
    size_t file_count;
    size_t before;
    bool json;
};

static int complain(const char* text, const char* what) {
    fprintf(stderr, "phasor diff: %s%s\n%s", text, what, usage);
    return 2;
}

static int parse(int argc, char** argv, struct request* request) {
    bool split = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            if (split)
                return complain("-- stands twice", "");
            split = true;
            request->before = request->file_count;
        } else if (strcmp(argv[i], "--json") == 0) {
            request->json = true;
        } else if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            exit(0);
        } else if (argv[i][0] == '-') {
            return complain("unknown option ", argv[i]);
        } else {
            *APPEND(request->files, request->file_count) = argv[i];
        }
    }
    if (!split && request->file_count > 2)
        return complain("which of them are before? Those in front of --", "");
    if (!split)
        request->before = 1;
    if (request->before == 0 || request->file_count <= request->before)
        return complain("two recordings, please, or more with -- between both sides", "");
    return 0;
}

int phasor_diff(int argc, char** argv) {
    struct pairs pairs = {0};
    struct request request = {0};
    bool damaged = false;
    int status = parse(argc, argv, &request);
    for (size_t i = 0; i < request.file_count && status == 0; i++) {
        struct reading reading;
        if (!reading_open(&reading, "diff", request.files[i], 0, UINT64_MAX)) {
            status = 1;
            break;
        }
        add_report(&pairs, i >= request.before, &reading.report);
        damaged |= reading.file.problem_count > 0;
        reading_close(&reading);
    }
    if (status == 0) {
        compare_all(&pairs);
        if (pairs.count > 1)
            qsort(pairs.all, pairs.count, sizeof(*pairs.all), compare_weights);
        (request.json ? write_json : write_text)(&pairs, stdout);
        status = count_verdicts(&pairs, VERDICT_SLOWER) > 0 ? SLOWER_STATUS : 0;
        if (fflush(stdout) != 0 || damaged)
            status = 1;
    }
    free(request.files);
    free_pairs(&pairs);
    return status;
}
