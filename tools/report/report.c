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
    "Usage: phasor report FILE [--json] [--html OUT] [--perfetto OUT]\n"
    "Says what the loops of a recorded program did.\n"
    "  --json          for programs: everything as JSON, times in ns\n"
    "  --html OUT      writes a page with the timeline, in one file\n"
    "  --perfetto OUT  writes a trace for ui.perfetto.dev\n"
    "  --from TIME     leaves out what was over by then (2.5s, 300ms)\n"
    "  --to TIME       leaves out what began later\n"
    "OUT may be - for standard output. Times are since the beginning of the "
    "recording.\n";

struct options {
    const char* file;
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
    if (optind + 1 != argc) {
        fprintf(stderr, "phasor report: %s\n%s",
                optind == argc ? "which file?" : "one file at a time, please", usage);
        return 2;
    }
    options->file = argv[optind];
    return 0;
}

static int fail(const char* path) {
    fprintf(stderr, "phasor report: can't write %s: %s\n", path, strerror(errno));
    return 1;
}

static bool write_perfetto(const struct report* report, FILE* out) {
    report_write_perfetto(report, out);
    return true;
}

/* A pipe or a device is written to; it is never replaced by a file. */
static bool is_special(const char* path) {
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

/* Written beside its place and moved there when it is whole: never half a file. */
static int write_file(const struct report* report, const char* path,
                      bool (*write)(const struct report* report, FILE* out)) {
    static const char no_page[] = "phasor report: this phasor was built without the page\n";
    char* temporary;
    if (strcmp(path, "-") == 0) {
        if (!write(report, stdout))
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
    } else if (!write(report, out)) {
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

static int write_all(const struct report* report, const struct options* options) {
    int status = 0;
    if (options->html != NULL)
        status |= write_file(report, options->html, report_write_html);
    if (options->perfetto != NULL)
        status |= write_file(report, options->perfetto, write_perfetto);
    if (options->json)
        report_write_json(report, stdout);
    else if (options->html == NULL && options->perfetto == NULL)
        report_write_text(report, stdout);
    if (fflush(stdout) != 0 || ferror(stdout))
        status |= fail("standard output");
    return status;
}

int phasor_report(int argc, char** argv) {
    struct options options = {0};
    struct trace_file file;
    struct report report;
    char error[4400];
    unsigned rows;
    int status = parse(argc, argv, &options);
    if (status != 0)
        return status;
    trace_drain(options.file, NULL);
    if (!trace_file_open(&file, options.file, 0, error, sizeof(error))) {
        fprintf(stderr, "phasor report: %s\n", error);
        return 1;
    }
    for (size_t i = 0; i < file.problem_count; i++)
        fprintf(stderr, "phasor report: %s: %s\n", options.file, file.problems[i]);
    struct symbols* symbols = symbols_open(&file);
    report_make(&report, &file, symbols, options.from, options.to);
    terminal_size(&report.columns, &rows);
    status = write_all(&report, &options);
    if (file.damaged)
        status = 1;
    report_free(&report);
    symbols_close(symbols);
    trace_file_close(&file);
    return status;
}
