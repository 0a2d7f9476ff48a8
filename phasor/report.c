#include "report/report.h"

#include <errno.h>
#include <getopt.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "read/memory.h"
#include "report/guard.h"
#include "report/profile.h"
#include "report/quantity.h"
#include "report/reading.h"
#include "secure.h"

static const char usage[] =
    "Usage: phasor report FILE... [--json] [--alive] [--html OUT] [--perfetto OUT]\n"
    "                     [--cpuprofile OUT] [--folded OUT] [--fail-if CONDITION]\n"
    "Says what the loops of a recorded program did. Several files (a program and its children) "
    "are\n"
    "told of one after the other, and put on one page.\n"
    "  --alive         what is open at the end and keeps the loops alive, and who made it\n"
    "  --json          for programs: everything as JSON, times in ns\n"
    "  --html OUT      writes a page with the timeline, in one file\n"
    "  --perfetto OUT  writes a trace for ui.perfetto.dev\n"
    "  --cpuprofile OUT  writes the stacks of what took long for Chrome DevTools: OUT.cpuprofile\n"
    "  --folded OUT    writes them as lines for flame graphs\n"
    "  --from TIME     leaves out what was over by then (2.5s, 300ms)\n"
    "  --to TIME       leaves out what began later\n"
    "  --fail-if CONDITION  ends with status 3 if it holds: 'p99 lag > 20ms'. May be given again.\n"
    "                  [median|mean|worst|pNUMBER] lag, lateness, queue wait, ran, way back, "
    "outside\n"
    "                  or a function's name in quotes, then > >= < <= and a time; or utilisation "
    "and\n"
    "                  a share (80%), or lost and a number. A function that never ran fails, too\n"
    "  --missing-ok    a function of --fail-if that never ran is as it should be\n"
    "OUT may be - for standard output. Times are since the beginning of the recording.\n"
    "Status: 0 all is well, 1 a file is damaged or can't be read or written, 2 a bad command "
    "line,\n"
    "3 a condition of --fail-if holds, or is about a function that never ran.\n";

enum { GUARD_STATUS = 3 };

struct options {
    char** files;
    size_t file_count;
    const char* html;
    const char* perfetto;
    const char* cpuprofile;
    const char* folded;
    struct guard* guards;
    size_t guard_count;
    uint64_t from; /* ns */
    uint64_t to;
    bool json;
    bool missing_ok;
    bool alive;
};

static bool parse_time(const char* name, uint64_t* ns) {
    const char* end;
    if (quantity_time(optarg, true, &end, ns) && *end == '\0')
        return true;
    fprintf(stderr, "phasor report: --%s %s is no time; 2.5s or 300ms is\n", name, optarg);
    return false;
}

static bool parse_guard(struct options* options) {
    char error[600];
    if (guard_parse(APPEND(options->guards, options->guard_count), optarg, error, sizeof(error)))
        return true;
    fprintf(stderr, "phasor report: %s\n", error);
    return false;
}

/* False: it is not understood, and that was said. */
static bool parse_option(int option, struct options* options) {
    switch (option) {
    case 'j':
        options->json = true;
        return true;
    case 'm':
        options->missing_ok = true;
        return true;
    case 'a':
        options->alive = true;
        return true;
    case 'h':
        options->html = optarg;
        return true;
    case 'p':
        options->perfetto = optarg;
        return true;
    case 'c':
        options->cpuprofile = optarg;
        return true;
    case 'F':
        options->folded = optarg;
        return true;
    case 'f':
        return parse_time("from", &options->from);
    case 't':
        return parse_time("to", &options->to);
    default:
        return parse_guard(options);
    }
}

static int parse(int argc, char** argv, struct options* options) {
    static const struct option names[] = {{"json", no_argument, NULL, 'j'},
                                          {"html", required_argument, NULL, 'h'},
                                          {"perfetto", required_argument, NULL, 'p'},
                                          {"from", required_argument, NULL, 'f'},
                                          {"to", required_argument, NULL, 't'},
                                          {"fail-if", required_argument, NULL, 'g'},
                                          {"missing-ok", no_argument, NULL, 'm'},
                                          {"alive", no_argument, NULL, 'a'},
                                          {"cpuprofile", required_argument, NULL, 'c'},
                                          {"folded", required_argument, NULL, 'F'},
                                          {"help", no_argument, NULL, '?' + 1},
                                          {0}};
    int option;
    optind = 0;
    opterr = 0;
    options->to = UINT64_MAX;
    while ((option = getopt_long(argc, argv, ":", names, NULL)) != -1) {
        if (option == '?' + 1) {
            fputs(usage, stdout);
            exit(0);
        } else if (option == '?' || option == ':') {
            fprintf(stderr, "phasor report: %s %s\n%s",
                    option == ':' ? "something is missing after" : "unknown option",
                    argv[optind - 1], usage);
            return 2;
        } else if (!parse_option(option, options)) {
            return 2;
        }
    }
    bool of_one = options->json || options->perfetto != NULL || options->cpuprofile != NULL ||
                  options->folded != NULL || options->from != 0 || options->to != UINT64_MAX;
    if (optind == argc || (optind + 1 < argc && of_one)) {
        fprintf(stderr, "phasor report: %s\n%s",
                optind == argc
                    ? "which file?"
                    : "one file at a time with --json, --perfetto, --cpuprofile, --folded, --from "
                      "and --to, please",
                usage);
        return 2;
    }
    if (options->from >= options->to) {
        fprintf(stderr, "phasor report: --from has to be before --to\n");
        return 2;
    }
    options->files = argv + optind;
    options->file_count = (size_t)(argc - optind);
    return 0;
}

static int fail(const char* path) {
    fprintf(stderr, "phasor report: can't write %s: %s\n", path, strerror(errno));
    return 1;
}

static bool write_perfetto(const struct report* const* reports, size_t count, FILE* out) {
    (void)count;
    report_write_perfetto(reports[0], out);
    return true;
}

static bool write_cpuprofile(const struct report* const* reports, size_t count, FILE* out) {
    (void)count;
    report_write_cpuprofile(reports[0], out);
    return true;
}

static bool write_folded(const struct report* const* reports, size_t count, FILE* out) {
    (void)count;
    report_write_folded(reports[0], out);
    return true;
}

/* A pipe or a device is written to; it is never replaced by a file. */
static bool is_special(const char* path) {
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

/* Written beside its place and moved there when it is whole: never half a file. */
static int write_file(const struct report* const* reports, size_t count, const char* path,
                      bool (*write)(const struct report* const* reports, size_t count, FILE* out)) {
    static const char no_page[] = "phasor report: this phasor was built without the page\n";
    char* temporary;
    if (strcmp(path, "-") == 0) {
        if (!write(reports, count, stdout))
            return fputs(no_page, stderr), 1;
        return fflush(stdout) != 0 ? fail("standard output") : 0;
    }
    bool special = is_special(path);
    char suffix[32];
    snprintf(suffix, sizeof(suffix), ".%d.part", (int)getpid());
    if (asprintf(&temporary, "%s%s", path, special ? "" : suffix) < 0)
        must(NULL);
    FILE* out = open_private(temporary, !special);
    int status = 0;
    if (out == NULL) {
        status = fail(path);
    } else if (!write(reports, count, out)) {
        fputs(no_page, stderr);
        status = 1;
        fclose(out);
    } else {
        bool bad = fflush(out) != 0 || ferror(out);
        bad |= fclose(out) != 0;
        if (bad || (!special && rename(temporary, path) != 0))
            status = fail(path);
    }
    if (status != 0 && out != NULL && !special)
        unlink(temporary);
    free(temporary);
    return status;
}

void terminal_size(unsigned* columns, unsigned* rows) {
    struct winsize size;
    *columns = *rows = 0;
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
        return;
    *columns = size.ws_col;
    *rows = size.ws_row;
}

static int write_all(const struct report* const* reports, size_t count,
                     const struct options* options) {
    const struct {
        const char* path;
        bool (*write)(const struct report* const* reports, size_t count, FILE* out);
    } forms[] = {{options->html, report_write_html},
                 {options->perfetto, write_perfetto},
                 {options->cpuprofile, write_cpuprofile},
                 {options->folded, write_folded}};
    int status = 0;
    bool written = options->json;
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
        if (forms[i].path != NULL) {
            status |= write_file(reports, count, forms[i].path, forms[i].write);
            written = true;
        }
    if (options->json)
        report_write_json(reports[0], stdout);
    for (size_t i = 0; i < count && !written; i++) {
        fputs(i > 0 ? "\n" : "", stdout);
        (options->alive ? report_write_alive : report_write_text)(reports[i], stdout);
    }
    if (fflush(stdout) != 0 || ferror(stdout))
        status |= fail("standard output");
    return status;
}

static void add_failure(struct report* report, const struct guard* guard, const char* why) {
    char** text = APPEND(report->failures, report->failure_count);
    if (asprintf(text, "%s: %s", guard->text, why) < 0)
        must(NULL);
    fputs("phasor report: ", stderr);
    report_print_safe(stderr, *text);
    fputc('\n', stderr);
}

/* The conditions of --fail-if. True: one of them holds. */
static bool check_guards(struct report* report, const struct options* options) {
    char where[1600];
    for (size_t i = 0; i < options->guard_count; i++)
        if (guard_holds(&options->guards[i], report, where, sizeof(where)))
            add_failure(report, &options->guards[i], where);
    return report->failure_count > 0;
}

/* A condition on a function that was renamed would hold never again. True: there is one. */
static bool check_names(struct report* report, const struct options* options) {
    bool any = false;
    for (size_t i = 0; i < options->guard_count; i++) {
        if (!guard_is_void(&options->guards[i]) || options->missing_ok)
            continue;
        add_failure(report, &options->guards[i],
                    "no function of this name ran (--missing-ok: that is as it should be)");
        any = true;
    }
    return any;
}

int phasor_report(int argc, char** argv) {
    struct options options = {0};
    int status = parse(argc, argv, &options);
    if (status != 0) {
        free(options.guards);
        return status;
    }
    struct reading* readings = must(calloc(options.file_count, sizeof(*readings)));
    const struct report** reports = must(calloc(options.file_count, sizeof(const struct report*)));
    size_t count = 0;
    bool guarded = false;
    for (size_t i = 0; i < options.file_count; i++) {
        struct reading* reading = &readings[count];
        if (!reading_open(reading, "report", options.files[i], options.from, options.to)) {
            status = 1;
            continue;
        }
        reports[count++] = &reading->report;
        status |= reading->file.damaged;
        guarded |= check_guards(&reading->report, &options);
    }
    guarded |= count > 0 && check_names(&readings[count - 1].report, &options);
    if (count > 0)
        status |= write_all(reports, count, &options);
    free(options.guards);
    for (size_t i = 0; i < count; i++)
        reading_close(&readings[i]);
    free(readings);
    free(reports);
    return guarded ? GUARD_STATUS : status;
}
