#include "report/report.h"

#include <errno.h>
#include <getopt.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "drain.h"
#include "read/memory.h"
#include "report/quantity.h"

static const char usage[] =
    "Usage: phasor report FILE... [--json] [--html OUT] [--perfetto OUT]\n"
    "Says what the loops of a recorded program did. Several files (a program and its children) "
    "are\n"
    "told of one after the other, and put on one page.\n"
    "  --json          for programs: everything as JSON, times in ns\n"
    "  --html OUT      writes a page with the timeline, in one file\n"
    "  --perfetto OUT  writes a trace for ui.perfetto.dev\n"
    "  --from TIME     leaves out what was over by then (2.5s, 300ms)\n"
    "  --to TIME       leaves out what began later\n"
    "OUT may be - for standard output. Times are since the beginning of the "
    "recording.\n";

struct options {
    char** files;
    size_t file_count;
    const char* html;
    const char* perfetto;
    uint64_t from; /* ns */
    uint64_t to;
    bool json;
};

static bool parse_time(const char* name, uint64_t* ns) {
    const char* end;
    if (quantity_time(optarg, true, &end, ns) && *end == '\0')
        return true;
    fprintf(stderr, "phasor report: --%s %s is no time; 2.5s or 300ms is\n", name, optarg);
    return false;
}

static int parse(int argc, char** argv, struct options* options) {
    static const struct option names[] = {{"json", no_argument, NULL, 'j'},
                                          {"html", required_argument, NULL, 'h'},
                                          {"perfetto", required_argument, NULL, 'p'},
                                          {"from", required_argument, NULL, 'f'},
                                          {"to", required_argument, NULL, 't'},
                                          {"help", no_argument, NULL, '?' + 1},
                                          {0}};
    int option;
    optind = 0;
    opterr = 0;
    options->to = UINT64_MAX;
    while ((option = getopt_long(argc, argv, ":", names, NULL)) != -1) {
        if (option == 'j') {
            options->json = true;
        } else if (option == 'h') {
            options->html = optarg;
        } else if (option == 'p') {
            options->perfetto = optarg;
        } else if (option == 'f' || option == 't') {
            if (!parse_time(option == 'f' ? "from" : "to",
                            option == 'f' ? &options->from : &options->to))
                return 2;
        } else if (option == '?' + 1) {
            fputs(usage, stdout);
            exit(0);
        } else {
            fprintf(stderr, "phasor report: %s %s\n%s",
                    option == ':' ? "something is missing after" : "unknown option",
                    argv[optind - 1], usage);
            return 2;
        }
    }
    bool of_one = options->json || options->perfetto != NULL || options->from != 0 ||
                  options->to != UINT64_MAX;
    if (optind == argc || (optind + 1 < argc && of_one)) {
        fprintf(stderr, "phasor report: %s\n%s",
                optind == argc
                    ? "which file?"
                    : "one file at a time with --json, --perfetto, --from and --to, please",
                usage);
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
    FILE* out = fopen(temporary, special ? "we" : "wxe");
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
    int status = 0;
    if (options->html != NULL)
        status |= write_file(reports, count, options->html, report_write_html);
    if (options->perfetto != NULL)
        status |= write_file(reports, count, options->perfetto, write_perfetto);
    if (options->json)
        report_write_json(reports[0], stdout);
    for (size_t i = 0; i < count && options->html == NULL && options->perfetto == NULL; i++) {
        if (options->json)
            break;
        fputs(i > 0 ? "\n" : "", stdout);
        report_write_text(reports[i], stdout);
    }
    if (fflush(stdout) != 0 || ferror(stdout))
        status |= fail("standard output");
    return status;
}

/* A file that is read, with what it says. */
struct reading {
    struct trace_file file;
    struct symbols* symbols;
    struct report report;
};

static bool open_reading(struct reading* reading, const char* path, const struct options* options) {
    char error[4400];
    unsigned rows;
    trace_drain(path, NULL);
    if (!trace_file_open(&reading->file, path, 0, error, sizeof(error))) {
        fprintf(stderr, "phasor report: %s\n", error);
        return false;
    }
    for (size_t i = 0; i < reading->file.problem_count; i++)
        fprintf(stderr, "phasor report: %s: %s\n", path, reading->file.problems[i]);
    reading->symbols = symbols_open(&reading->file);
    report_make(&reading->report, &reading->file, reading->symbols, options->from, options->to);
    terminal_size(&reading->report.columns, &rows);
    return true;
}

static void close_reading(struct reading* reading) {
    report_free(&reading->report);
    symbols_close(reading->symbols);
    trace_file_close(&reading->file);
}

int phasor_report(int argc, char** argv) {
    struct options options = {0};
    int status = parse(argc, argv, &options);
    if (status != 0)
        return status;
    struct reading* readings = must(calloc(options.file_count, sizeof(*readings)));
    const struct report** reports = must(calloc(options.file_count, sizeof(const struct report*)));
    size_t count = 0;
    for (size_t i = 0; i < options.file_count; i++) {
        struct reading* reading = &readings[count];
        if (!open_reading(reading, options.files[i], &options)) {
            status = 1;
            continue;
        }
        reports[count++] = &reading->report;
        status |= reading->file.damaged;
    }
    if (count > 0)
        status |= write_all(reports, count, &options);
    for (size_t i = 0; i < count; i++)
        close_reading(&readings[i]);
    free(readings);
    free(reports);
    return status;
}
