#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "live/live.h"
#include "live/post.h"
#include "read/memory.h"
#include "report/metrics.h"
#include "report/quantity.h"
#include "report/reading.h"
#include "secure.h"

static const char usage[] =
    "Usage: phasor export FILE|PID [--otlp OUT|URL] [--prometheus OUT] [--for TIME]\n"
    "The figures of a recording for other systems; those of a running process, if it is named by "
    "its\n"
    "number, of the time that --for says (5s), or of the recording that is being made of it.\n"
    "  --prometheus OUT  metrics as text, as Prometheus reads them\n"
    "  --otlp OUT        metrics and spans of OpenTelemetry as lines of JSON\n"
    "  --otlp URL        the same, sent to a collector: http://localhost:4318\n"
    "  --for TIME        how long a running process is recorded\n"
    "OUT may be - for standard output. Spans are callbacks of 10 ms or more, and their turns.\n"
    "Status: 0 all is well, 1 it is damaged or can't be read, written or sent, 2 a bad command\n"
    "line.\n";

struct options {
    const char* subject;
    const char* otlp;
    const char* prometheus;
    uint64_t time; /* ns */
};

static volatile sig_atomic_t interrupted;

static void on_signal(int signum) {
    (void)signum;
    interrupted = 1;
}

static int complain(const char* what) {
    fprintf(stderr, "phasor export: %s\n", what);
    return 1;
}

static int parse(int argc, char** argv, struct options* options) {
    static const struct option names[] = {{"otlp", required_argument, NULL, 'o'},
                                          {"prometheus", required_argument, NULL, 'p'},
                                          {"for", required_argument, NULL, 'f'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    const char* end = "";
    int option;
    optind = 0;
    opterr = 0;
    options->time = 5000000000;
    while ((option = getopt_long(argc, argv, ":", names, NULL)) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            exit(0);
        }
        if (option == 'o')
            options->otlp = optarg;
        else if (option == 'p')
            options->prometheus = optarg;
        else if (option != 'f' || !quantity_time(optarg, true, &end, &options->time) ||
                 *end != '\0') {
            fprintf(stderr, "phasor export: bad option %s\n%s", argv[optind - 1], usage);
            return 2;
        }
    }
    if (optind + 1 != argc || (options->otlp == NULL && options->prometheus == NULL)) {
        fprintf(stderr, "phasor export: %s\n%s",
                optind + 1 != argc ? "which recording or process?" : "--otlp or --prometheus?",
                usage);
        return 2;
    }
    options->subject = argv[optind];
    return 0;
}

/* Writing */

typedef void write_form(const struct report* report, FILE* out);

static int write_to(const struct report* report, const char* path, write_form* first,
                    write_form* second) {
    FILE* out = strcmp(path, "-") == 0 ? stdout : open_private(path, false);
    bool bad = out == NULL;
    if (!bad) {
        first(report, out);
        if (second != NULL)
            second(report, out);
        bad = fflush(out) != 0 || ferror(out);
        if (out != stdout)
            bad |= fclose(out) != 0;
    }
    if (bad)
        fprintf(stderr, "phasor export: can't write %s: %s\n", path, strerror(errno));
    return bad;
}

static int send_form(const struct report* report, const char* address, const char* path,
                     write_form* form) {
    char error[2400], *text = NULL;
    size_t size = 0;
    FILE* memory = must(open_memstream(&text, &size));
    form(report, memory);
    fclose(memory);
    bool good = post_json(address, path, text, size, error, sizeof(error));
    free(text);
    return good ? 0 : complain(error);
}

static int write_all(const struct report* report, const struct options* options) {
    int status = 0;
    if (options->prometheus != NULL)
        status |= write_to(report, options->prometheus, report_write_prometheus, NULL);
    if (options->otlp == NULL)
        return status;
    if (strstr(options->otlp, "://") == NULL)
        return status |
               write_to(report, options->otlp, report_write_otlp_metrics, report_write_otlp_spans);
    return status | send_form(report, options->otlp, "/v1/metrics", report_write_otlp_metrics) ||
           send_form(report, options->otlp, "/v1/traces", report_write_otlp_spans);
}

static int export_file(const char* path, const struct options* options) {
    struct reading reading;
    if (!reading_open(&reading, "export", path, 0, UINT64_MAX))
        return 1;
    int status = write_all(&reading.report, options) | (reading.file.problem_count > 0);
    reading_close(&reading);
    return status;
}

/* A number is a process, unless there is a file of that name. */
static bool is_process(const char* subject, pid_t* pid) {
    char* end;
    long value = strtol(subject, &end, 10);
    *pid = (pid_t)value;
    return access(subject, F_OK) != 0 && *subject >= '0' && *subject <= '9' && *end == '\0' &&
           value > 0 && value < INT_MAX;
}

static int export_process(pid_t pid, const struct options* options) {
    static struct live live;
    char error[4400];
    struct sigaction action = {.sa_handler = on_signal};
    struct timespec pause = {(time_t)(options->time / 1000000000),
                             (long)(options->time % 1000000000)};
    /* A recording of our own has to be ended whatever happens. */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    bool good = live_begin(&live, "export", NULL, pid, 32 << 20, error, sizeof(error));
    if (good && live.started)
        nanosleep(&pause, NULL);
    live_end(&live);
    int status = 1;
    if (!good)
        complain(error);
    else if (access(live.file, F_OK) != 0)
        complain("no loop has turned since the recording was asked for");
    else if (!interrupted)
        status = export_file(live.file, options);
    live_remove(&live);
    return status;
}

int phasor_export(int argc, char** argv) {
    struct options options = {0};
    pid_t pid;
    int status = parse(argc, argv, &options);
    if (status != 0)
        return status;
    return is_process(options.subject, &pid) ? export_process(pid, &options)
                                             : export_file(options.subject, &options);
}
