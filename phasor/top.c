#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "live/live.h"
#include "live/stuck.h"
#include "live/top_page.h"
#include "read/memory.h"
#include "report/report.h"

static const char usage[] =
    "Usage: phasor top PID|FILE [-n TIMES] [--interval SECONDS] [--html]\n"
    "The report on the last moments of a process that runs on our libuv.so.1, or of a recording "
    "that\n"
    "is being written, again and again. A process that is not being recorded is, until this ends.\n"
    "  -n TIMES            ends after so many times\n"
    "  --interval SECONDS  between two (1)\n"
    "  --html              as a page that follows what happens, for a browser on this machine\n";

enum { OWN_LIMIT = 8 << 20 };

struct top {
    struct live live; /* without a target: only the file */
    bool has_target;
    long times; /* 0: no end */
    double interval;
    bool html;
    struct top_page* page; /* once there is something to show */
    uint64_t seen;         /* blocks up to here were shown twice ago */
    uint64_t last;         /* and up to here the last time */
};

static volatile sig_atomic_t interrupted;

static void on_signal(int signum) {
    (void)signum;
    interrupted = 1;
}

static int complain(const char* what) {
    fprintf(stderr, "phasor top: %s\n", what);
    return 1;
}

static int parse(int argc, char** argv, struct top* top, const char** subject) {
    static const struct option names[] = {{"interval", required_argument, NULL, 'i'},
                                          {"html", no_argument, NULL, 'p'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    int option;
    char* end = NULL;
    optind = 0;
    opterr = 0;
    top->interval = 1;
    while ((option = getopt_long(argc, argv, ":n:", names, NULL)) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            exit(0);
        }
        if (option == 'p') {
            top->html = true;
            continue;
        }
        if (option == 'n')
            top->times = strtol(optarg, &end, 10);
        else if (option == 'i')
            top->interval = strtod(optarg, &end);
        if (end == NULL || *end != '\0' || top->times < 0 || !(top->interval >= 0.1) ||
            top->interval > 3600) {
            fprintf(stderr, "phasor top: bad option %s\n%s", argv[optind - 1], usage);
            return 2;
        }
    }
    if (optind + 1 != argc) {
        fprintf(stderr, "phasor top: which process, or which file?\n%s", usage);
        return 2;
    }
    *subject = argv[optind];
    return 0;
}

static int attach(struct top* top, pid_t pid) {
    char error[4400];
    top->has_target = live_begin(&top->live, "top", NULL, pid, OWN_LIMIT, error, sizeof(error));
    return top->has_target ? 0 : complain(error);
}

static void detach(struct top* top) {
    live_end(&top->live);
    live_remove(&top->live);
}

/* A number is a process, unless there is a file of that name. */
static int find_subject(struct top* top, const char* subject) {
    char* end;
    long pid = strtol(subject, &end, 10);
    if (access(subject, F_OK) != 0 && *subject != '\0' && *end == '\0' && pid > 0 && pid < INT_MAX)
        return attach(top, (pid_t)pid);
    snprintf(top->live.file, sizeof(top->live.file), "%s", subject);
    return 0;
}

/* What the loop is at when nothing has come for an interval. */
static void show_silence(const struct top* top, const struct report* report) {
    if (report->file->header.status != PH_TRACE_RECORDING) {
        puts("The recording has ended.");
        return;
    }
    puts("Nothing was recorded in this interval: the loops are asleep, or inside one callback.");
    for (size_t i = 0; i < report->sentence_count; i++)
        if (strcmp(report->sentences[i].about, "blocked") == 0) {
            report_print_safe(stdout, report->sentences[i].text);
            putchar('\n');
        }
    if (top->has_target)
        stuck_say(top->live.target.pid, stdout);
}

static size_t count_lines(const char* text) {
    size_t lines = 0;
    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

/* Everything if it fits on the terminal, else the shorter form, and of that as much as fits. */
static void show_report(struct report* report) {
    unsigned rows;
    char* text = NULL;
    terminal_size(&report->columns, &rows);
    for (int form = 0; form < 2; form++) {
        size_t size;
        free(text);
        report->brief = form == 1;
        FILE* memory = must(open_memstream(&text, &size));
        report_write_text(report, memory);
        fclose(memory);
        if (rows == 0 || count_lines(text) < rows)
            break;
    }
    char* end = text;
    for (unsigned i = 1; rows > 0 && i < rows && (end = strchr(end, '\n')) != NULL; i++)
        end++;
    if (rows > 0 && end != NULL)
        *end = '\0';
    fputs(text, stdout);
    free(text);
}

static bool can_clear(void) {
    const char* kind = getenv("TERM");
    return isatty(STDOUT_FILENO) && kind != NULL && strcmp(kind, "dumb") != 0;
}

/* False: the file can't be read, or nobody reads what is written. */
static bool show(struct top* top) {
    struct trace_file file;
    struct report report;
    char error[4400];
    if (!trace_file_open(&file, top->live.file, top->seen, error, sizeof(error))) {
        complain(error);
        return false;
    }
    top->seen = top->last;
    top->last = file.last_sequence;
    if (can_clear())
        fputs("\033[H\033[2J", stdout);
    file.live = top->has_target;
    struct symbols* symbols = symbols_open(&file);
    report_make(&report, &file, symbols, 0, UINT64_MAX);
    if (file.event_count > 0)
        show_report(&report);
    else
        show_silence(top, &report);
    if (!can_clear())
        putchar('\n');
    bool written = fflush(stdout) == 0;
    report_free(&report);
    symbols_close(symbols);
    trace_file_close(&file);
    return written;
}

/* The same for a page: serves it until the next time. */
static bool serve(struct top* top) {
    if (top->page == NULL && (top->page = top_page_open(top->live.file)) == NULL) {
        complain(strerror(errno));
        return false;
    }
    top_page_run(top->page, top->interval, &interrupted);
    return true;
}

static bool is_alive(struct top* top) {
    char error[4400];
    return !top->has_target || target_refresh(&top->live.target, error, sizeof(error));
}

int phasor_top(int argc, char** argv) {
    static struct top top;
    const char* subject;
    struct sigaction action = {.sa_handler = on_signal};
    int status = parse(argc, argv, &top, &subject);
    if (status == 0) {
        sigaction(SIGINT, &action, NULL);
        sigaction(SIGTERM, &action, NULL);
        sigaction(SIGHUP, &action, NULL);
        /* A recording of our own has to be ended even if nobody reads us any more. */
        signal(SIGPIPE, SIG_IGN);
        status = find_subject(&top, subject);
    }
    if (status != 0) {
        detach(&top);
        return status;
    }
    struct timespec pause = {(time_t)top.interval,
                             (long)((top.interval - (double)(time_t)top.interval) * 1e9)};
    for (long i = 0; !interrupted && (top.times == 0 || i < top.times); i++) {
        bool pauses = (i > 0 || top.live.started) && top.page == NULL;
        if (pauses && nanosleep(&pause, NULL) != 0)
            break;
        bool waits = top.live.started && access(top.live.file, F_OK) != 0;
        if (!is_alive(&top)) {
            fprintf(stderr, "phasor top: process %d has ended\n", (int)top.live.target.pid);
            break;
        }
        if (waits)
            puts("No loop has turned since the recording was asked for.");
        else if (!(top.html ? serve(&top) : show(&top))) {
            status = 1;
            break;
        }
    }
    if (top.page != NULL)
        top_page_close(top.page);
    detach(&top);
    return status;
}
