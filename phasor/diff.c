#include <getopt.h>
#include <inttypes.h>

#include "commands.h"
#include "read/memory.h"
#include "report/compare.h"
#include "report/reading.h"

static const char usage[] =
    "Usage: phasor diff BEFORE AFTER [--json]\n"
    "Says what became slower or faster between two recordings: functions, phases, lag, the pool.\n"
    "Each call counts; a difference is told if it would come about by chance in less than one of "
    "a\n"
    "hundred cases (a rank test over all calls, corrected for the number of comparisons) and the\n"
    "median has changed by more than 3 %. Time for which a callback waited for a processor does\n"
    "not count.\n"
    "  --json  for programs: every comparison as JSON, times in ns\n"
    "Status: 0 nothing became slower, 1 a file is damaged or can't be read, 2 a bad command line,\n"
    "3 something became slower.\n";

enum { SLOWER_STATUS = 3, MOST_LINES = 20 };

/* Two histograms that have the same name; either may be of nothing. */
struct pair {
    const char* what; /* "function", "phase", "loop", "pool" */
    char* name;
    struct histogram before;
    struct histogram after;
    struct comparison result;
};

struct pairs {
    struct pair* all;
    size_t count;
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
    struct histogram* side = is_after ? &pair->after : &pair->before;
    histogram_merge(side, times);
    if (waits == NULL)
        return;
    histogram_remove(side, &waits->with);
    histogram_merge(side, &waits->without);
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
}

static void compare_all(struct pairs* pairs) {
    size_t tests = 0;
    for (size_t i = 0; i < pairs->count; i++)
        tests += pairs->all[i].before.count > 0 && pairs->all[i].after.count > 0;
    for (size_t i = 0; i < pairs->count; i++)
        pairs->all[i].result =
            compare_times(&pairs->all[i].before, &pairs->all[i].after, tests > 0 ? tests : 1);
}

/* How much longer all calls took together than they would have before: the worst comes first. */
static double weight(const struct pair* pair) {
    double before = (double)pair->before.sum / (double)(pair->before.count + !pair->before.count);
    double after = (double)pair->after.sum / (double)(pair->after.count + !pair->after.count);
    double change = (after - before) * (double)pair->after.count;
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
    fprintf(out, "  %s ", pair->what);
    report_print_safe(out, pair->name);
    fputs("\n    ", out);
    write_change("median", histogram_at(&pair->before, 0.5), histogram_at(&pair->after, 0.5), out);
    write_change(", 99 %", histogram_at(&pair->before, 0.99), histogram_at(&pair->after, 0.99),
                 out);
    fprintf(out, ", %" PRIu64 " and %" PRIu64 " times, ", pair->before.count, pair->after.count);
    if (pair->result.chance < 0.0001)
        fputs("more than 99.99 % sure\n", out);
    else
        fprintf(out, "%.2f %% sure\n", 100 * (1 - pair->result.chance));
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
        if ((before ? pair->after.count : pair->before.count) > 0)
            continue;
        fputs(comma, out);
        report_print_safe(out, pair->name);
        comma = ", ";
    }
    fputs(*comma == ',' ? ".\n" : "", out);
}

static void write_text(const struct pairs* pairs, FILE* out) {
    write_verdict(pairs, VERDICT_SLOWER, "Slower", out);
    write_verdict(pairs, VERDICT_FASTER, "Faster", out);
    size_t same = count_verdicts(pairs, VERDICT_SAME), few = 0;
    for (size_t i = 0; i < pairs->count; i++)
        few += pairs->all[i].result.verdict == VERDICT_FEW && pairs->all[i].before.count > 0 &&
               pairs->all[i].after.count > 0;
    fprintf(out, "No difference that can be told: %zu of %zu", same, pairs->count);
    if (few > 0)
        fprintf(out, "; too few calls to say: %zu", few);
    fputs(".\n", out);
    write_only(pairs, true, out);
    write_only(pairs, false, out);
}

static void write_side(const char* name, const struct histogram* times, FILE* out) {
    fprintf(out,
            ", \"%s\": {\"count\": %" PRIu64 ", \"median\": %" PRIu64 ", \"p99\": %" PRIu64
            ", \"worst\": %" PRIu64 ", \"sum\": %" PRIu64 "}",
            name, times->count, histogram_at(times, 0.5), histogram_at(times, 0.99), times->most,
            times->sum);
}

static void write_json(const struct pairs* pairs, FILE* out) {
    static const char* const verdicts[] = {"few", "same", "slower", "faster"};
    fputs("{\"comparisons\": [", out);
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

static void free_pairs(struct pairs* pairs) {
    for (size_t i = 0; i < pairs->count; i++) {
        free(pairs->all[i].name);
        histogram_free(&pairs->all[i].before);
        histogram_free(&pairs->all[i].after);
    }
    free(pairs->all);
}

static int parse(int argc, char** argv, bool* json) {
    static const struct option names[] = {
        {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {0}};
    int option;
    optind = 0;
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", names, NULL)) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            exit(0);
        }
        if (option != 'j') {
            fprintf(stderr, "phasor diff: unknown option %s\n%s", argv[optind - 1], usage);
            return 2;
        }
        *json = true;
    }
    if (optind + 2 == argc)
        return 0;
    fprintf(stderr, "phasor diff: two recordings, please\n%s", usage);
    return 2;
}

int phasor_diff(int argc, char** argv) {
    struct pairs pairs = {0};
    bool json = false, damaged = false;
    int status = parse(argc, argv, &json);
    for (int i = 0; i < 2 && status == 0; i++) {
        struct reading reading;
        if (!reading_open(&reading, "diff", argv[optind + i], 0, UINT64_MAX)) {
            status = 1;
            break;
        }
        add_report(&pairs, i == 1, &reading.report);
        damaged |= reading.file.problem_count > 0;
        reading_close(&reading);
    }
    if (status == 0) {
        compare_all(&pairs);
        if (pairs.count > 1)
            qsort(pairs.all, pairs.count, sizeof(*pairs.all), compare_weights);
        (json ? write_json : write_text)(&pairs, stdout);
        status = count_verdicts(&pairs, VERDICT_SLOWER) > 0 ? SLOWER_STATUS : 0;
        if (fflush(stdout) != 0 || damaged)
            status = 1;
    }
    free_pairs(&pairs);
    return status;
}
