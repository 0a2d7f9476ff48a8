/* Names, times and texts as a report writes them. */

#include "read/memory.h"
#include "report/report.h"

/* Files below the folder in which the program was started are named from there. */
const char* report_path(const struct report* report, const char* path) {
    size_t length = report->folder != NULL ? strlen(report->folder) : 0;
    if (strncmp(path, "file://", 7) == 0)
        path += 7;
    if (length > 1 && strncmp(path, report->folder, length) == 0 && path[length] == '/')
        return path + length + 1;
    return path;
}

const char* report_name(const struct report* report, uint32_t number, char* buffer, size_t size) {
    const struct trace_name* name = &report->file->names[number];
    const char* function = name->function != NULL ? name->function : "";
    if (name->file == NULL || *name->file == '\0')
        return *function != '\0' ? function : "(anonymous)";
    if (*function == '\0')
        function = "(anonymous)";
    if (name->line > 0)
        snprintf(buffer, size, "%s (%s:%u)", function, report_path(report, name->file), name->line);
    else
        snprintf(buffer, size, "%s (%s)", function, report_path(report, name->file));
    return buffer;
}

const struct trace_name* report_script_name(const struct report* report, const struct span* span) {
    uint32_t name = span->called;
    return name != 0 && name < report->file->name_count ? &report->file->names[name] : NULL;
}

/* What a runtime has the pool do for it. */
static bool is_named_work(const struct report* report, const struct span* span) {
    return span->callback == PH_CB_WORK && span->purpose != 0 &&
           span->purpose < report->file->name_count &&
           report->file->names[span->purpose].function != NULL;
}

const char* report_function(const struct report* report, const struct span* span, char* buffer,
                            size_t size) {
    const struct trace_name* name = report_script_name(report, span);
    if (name != NULL)
        return report_name(report, (uint32_t)(name - report->file->names), buffer, size);
    if (is_named_work(report, span))
        return report->file->names[span->purpose].function;
    if (span->kind == SPAN_TICK || report->model.is_script)
        return "(runtime)";
    return symbols_name(report->symbols, span->function);
}

/* What programs in JavaScript call it. */
static const char* script_kind(unsigned callback) {
    switch (callback) {
    case PH_CB_TIMER:
        return "timer";
    case PH_CB_CHECK:
        return "immediate";
    case PH_CB_FS:
        return "file";
    case PH_CB_AFTER_WORK:
        return "pool";
    case PH_CB_ASYNC:
        return "message";
    case PH_CB_GETADDRINFO:
    case PH_CB_GETNAMEINFO:
        return "name lookup";
    case PH_CB_UDP_SEND:
        return "send";
    case PH_CB_UDP_RECV:
        return "receive";
    case PH_CB_FS_EVENT:
    case PH_CB_FS_POLL:
        return "file watch";
    default:
        return NULL;
    }
}

/* "timer callback", "read callback" */
static void name_kind(const struct report* report, const struct span* span, char* buffer,
                      size_t size) {
    const char* kind = script_kind(span->callback);
    const char* type = callback_name(span->callback);
    if (span->callback == PH_CB_AFTER_WORK && span->purpose != 0 &&
        span->purpose < report->file->name_count)
        kind = report->file->names[span->purpose].function;
    if (kind != NULL)
        snprintf(buffer, size, "%s callback", kind);
    else
        snprintf(buffer, size, "%.*s callback", (int)strcspn(type, "_"), type);
}

void report_label(const struct report* report, const struct span* span, char* buffer, size_t size) {
    char name[1200], kind[64];
    const char* function = report_function(report, span, name, sizeof(name));
    if (span->function != 0 && report_script_name(report, span) != NULL &&
        span->called != span->culprit) {
        name_kind(report, span, kind, sizeof(kind));
        snprintf(buffer, size, "%s %s", kind, function);
    } else if (is_named_work(report, span)) {
        snprintf(buffer, size, "pool work %s", function);
    } else if (span->function != 0) {
        snprintf(buffer, size, "uv_%s %s", callback_name(span->callback), function);
    } else {
        snprintf(buffer, size, "%s", function);
    }
}

const char* report_loop(const struct report* report, unsigned track, char* buffer, size_t size) {
    const struct track* loop = &report->model.tracks[track];
    if (loop->is_main)
        return report->loop_count > 1 ? "The main loop" : "The loop";
    snprintf(buffer, size, "Loop %u", loop->number);
    return buffer;
}

const char* report_time(uint64_t ns, char* buffer, size_t size) {
    double value = (double)ns;
    static const struct {
        double from, unit;
        const char* name;
    } units[] = {{1e9, 1e9, "s"}, {1e6, 1e6, "ms"}, {1e3, 1e3, "µs"}, {0, 1, "ns"}};
    size_t i = 0;
    while (value < units[i].from)
        i++;
    value /= units[i].unit;
    int digits = i == 3 || value >= 99.5 ? 0 : value >= 9.95 ? 1 : 2;
    snprintf(buffer, size, "%.*f %s", i == 0 ? 3 : digits, value, units[i].name);
    return buffer;
}

/* Letters from U+2E80 on take two, as they nearly all do. */
unsigned report_columns(const char* text) {
    const unsigned char* c = (const unsigned char*)text;
    unsigned columns = 0;
    for (; *c != '\0'; c++)
        columns += (*c & 0xc0) == 0x80 ? 0 : *c > 0xe2 || (*c == 0xe2 && c[1] >= 0xba) ? 2 : 1;
    return columns;
}

const char* report_time_column(uint64_t ns, int width, char* buffer, size_t size) {
    char time[32];
    int columns = (int)report_columns(report_time(ns, time, sizeof(time)));
    snprintf(buffer, size, "%*s%s", width > columns ? width - columns : 0, "", time);
    return buffer;
}

/* The length of the character at `text` if it is valid UTF-8 of more than one byte, else 0. */
static int utf8_length(const char* text) {
    const unsigned char* s = (const unsigned char*)text;
    int length = s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;
    if (s[0] >= 0xf5)
        return 0;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))
        return 0;
    return length;
}

static bool is_control(const char* text) {
    const unsigned char* s = (const unsigned char*)text;
    return s[0] < 0x20 || s[0] == 0x7f || (s[0] == 0xc2 && s[1] >= 0x80 && s[1] < 0xa0);
}

void report_print_safe(FILE* out, const char* text) {
    while (*text != '\0') {
        int length = utf8_length(text);
        if (is_control(text) || ((unsigned char)*text >= 0x80 && length == 0))
            fputc('?', out);
        else
            fwrite(text, 1, length > 0 ? (size_t)length : 1, out);
        text += length > 0 ? length : 1;
    }
}

void report_print_json(FILE* out, const char* text) {
    fputc('"', out);
    while (*text != '\0') {
        int length = utf8_length(text);
        unsigned char c = (unsigned char)*text;
        if (length > 0)
            fwrite(text, 1, (size_t)length, out);
        else if (c >= 0x80)
            fputs("\\ufffd", out);
        else if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20 || c == '<' || c == 0x7f)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
        text += length > 0 ? length : 1;
    }
    fputc('"', out);
}
