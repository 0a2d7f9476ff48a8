/* Moments that are kept: a small recording, and what the report says of it. */

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "live/moment.h"
#include "live/post.h"
#include "live/watch_inside.h"
#include "read/memory.h"
#include "report/reading.h"

enum { BEFORE_NS = 1000000000, AFTER_NS = 100000000 };

static void complain(const char* what, const char* why) {
    fprintf(stderr, "phasor watch: %s: %s\n", what, why);
}

/* "FOLDER/stall-20261118T140501.123Z-4121": by name they are in the order of their times. */
static void name_moment(const struct watch_options* options, const struct kept* kept, char* path,
                        size_t size) {
    time_t seconds = (time_t)(kept->wall / 1000000000);
    struct tm parts;
    char stamp[32];
    gmtime_r(&seconds, &parts);
    strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%S", &parts);
    snprintf(path, size, "%s/stall-%s.%03uZ-%u", options->folder, stamp,
             (unsigned)(kept->wall / 1000000 % 1000), kept->pid);
}

static bool make_folder(const char* folder) {
    struct stat info;
    if (mkdir(folder, 0700) == 0 ||
        (errno == EEXIST && stat(folder, &info) == 0 && S_ISDIR(info.st_mode)))
        return true;
    complain(folder, errno == EEXIST ? "is there already, and is not a folder" : strerror(errno));
    return false;
}

/* The oldest go. */
static void remove_old(const struct watch_options* options) {
    char pattern[PATH_MAX];
    glob_t found;
    snprintf(pattern, sizeof(pattern), "%s/stall-[0-9]*Z-*.trace", options->folder);
    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i + options->most < found.gl_pathc; i++) {
        char* path = found.gl_pathv[i];
        unlink(path);
        memcpy(strrchr(path, '.'), ".txt", 5);
        unlink(path);
    }
    globfree(&found);
}

/* The sentence on who blocked the loop then; "": the report has none. Good as long as the report.
 */
static const char* find_sentence(const struct report* report, const struct kept* kept) {
    const struct sentence* best = NULL;
    uint64_t longest = 0, began = report->model.began;
    for (size_t i = 0; i < report->sentence_count; i++) {
        const struct sentence* sentence = &report->sentences[i];
        const struct span* span = sentence->span;
        if (strcmp(sentence->about, "blocked") != 0 || span == NULL ||
            began + span->end < kept->from || began + span->start > kept->to ||
            span->end - span->start < longest)
            continue;
        longest = span->end - span->start;
        best = sentence;
    }
    return best != NULL ? best->text : "";
}

/* A report on all of the moment tells of a function's worst call, which may be an earlier one. */
static char* choose_sentence(const struct reading* whole, const struct kept* kept,
                             const char* name) {
    struct reading stall;
    uint64_t began = whole->report.model.began;
    const char* found = find_sentence(&whole->report, kept);
    if (*found == '\0' && kept->from >= began &&
        reading_open(&stall, "watch", name, kept->from - began, kept->to - began)) {
        char* text = must(strdup(find_sentence(&stall.report, kept)));
        reading_close(&stall);
        return text;
    }
    return must(strdup(found));
}

static void say(const struct kept* kept, const char* sentence, const char* path, FILE* out) {
    char time[32];
    fprintf(out, "process %u: the %s %s blocked for %s", kept->pid, kept->loop,
            kept->goes_on ? "has been" : "was", report_time(kept->lag, time, sizeof(time)));
    fputs(*sentence != '\0' ? ": " : ". ", out);
    report_print_safe(out, sentence);
    fprintf(out, "%s%s.trace has it.\n", *sentence != '\0' ? " " : "", path);
}

static void write_report(const struct report* report, const struct kept* kept, const char* sentence,
                         const char* path) {
    char name[PATH_MAX + 8];
    snprintf(name, sizeof(name), "%s.txt", path);
    unlink(name);
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    FILE* out = fd != -1 ? fdopen(fd, "w") : NULL;
    if (out == NULL) {
        complain(name, strerror(errno));
        return;
    }
    say(kept, sentence, path, out);
    fputc('\n', out);
    report_write_text(report, out);
    for (size_t i = 0; i < report->sentence_count; i++)
        if (report->sentences[i].stack != NULL) {
            fputs("\nStack: ", out);
            report_print_safe(out, report->sentences[i].stack);
            fputc('\n', out);
        }
    if (fclose(out) != 0)
        complain(name, strerror(errno));
}

static void send_spans(const struct watch_options* options, const struct report* report) {
    char error[2400], *text = NULL;
    size_t size = 0;
    if (options->otlp == NULL)
        return;
    FILE* memory = must(open_memstream(&text, &size));
    report_write_otlp_spans(report, memory);
    fclose(memory);
    if (!post_json(options->otlp, "/v1/traces", text, size, error, sizeof(error)))
        fprintf(stderr, "phasor watch: %s\n", error);
    free(text);
}

void watch_keep(const struct watch_options* options, const struct kept* kept) {
    char path[PATH_MAX], name[PATH_MAX + 8], error[4400];
    struct trace_file ring;
    struct reading reading;
    name_moment(options, kept, path, sizeof(path));
    snprintf(name, sizeof(name), "%s.trace", path);
    if (!make_folder(options->folder))
        return;
    if (!trace_file_open(&ring, kept->path, 0, error, sizeof(error))) {
        fprintf(stderr, "phasor watch: %s\n", error);
        return;
    }
    uint64_t from = kept->from > BEFORE_NS ? kept->from - BEFORE_NS : 0;
    bool written = moment_write(&ring, from, kept->to + AFTER_NS, name);
    if (!written)
        complain(name, strerror(errno));
    trace_file_close(&ring);
    if (!written || !reading_open(&reading, "watch", name, 0, UINT64_MAX))
        return;
    reading.report.columns = 0;
    char* sentence = choose_sentence(&reading, kept, name);
    write_report(&reading.report, kept, sentence, path);
    fputs("phasor watch: ", stderr);
    say(kept, sentence, path, stderr);
    send_spans(options, &reading.report);
    free(sentence);
    reading_close(&reading);
    remove_old(options);
}
