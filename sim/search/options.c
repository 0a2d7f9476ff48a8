/* Words of the command line: faults, times. */

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/errors.h"
#include "search/sim.h"
#include "world/faults.h"

enum { SHORT = -1 };

static const char* const classes[PH_FAULT_CLASSES] = {
    [PH_FAULT_CALL] = "call",     [PH_FAULT_NET] = "net",       [PH_FAULT_DISK] = "disk",
    [PH_FAULT_MEMORY] = "memory", [PH_FAULT_THREAD] = "thread", [PH_FAULT_CLOCK] = "clock",
};

static const double usual_rate = 0.01;

bool sim_complain(const char* format, ...) {
    va_list args;
    va_start(args, format);
    fputs("phasor sim: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return false;
}

static int class_named(const char* name, size_t length) {
    for (int i = 0; i < PH_FAULT_CLASSES; i++)
        if (strlen(classes[i]) == length && strncmp(classes[i], name, length) == 0)
            return i;
    return -1;
}

/* "net,disk:0.05" */
bool sim_parse_faults(const char* text, struct ph_settings* settings) {
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        size_t name = strcspn(text, ":,");
        int class = class_named(text, name);
        double rate = usual_rate;
        if (class < 0)
            return sim_complain("\"%.*s\" is no kind of fault (call, net, disk, memory, thread, "
                                "clock)",
                                (int)name, text);
        if (name < length) {
            char* end;
            rate = strtod(text + name + 1, &end);
            if (end != text + length || !(rate >= 0 && rate <= 1))
                return sim_complain("\"%.*s\" is no rate (a number from 0 to 1)",
                                    (int)(length - name - 1), text + name + 1);
        }
        settings->fault_rate[class] = rate;
        text += length + (text[length] == ',');
    }
    return true;
}

static int error_named(const char* name) {
    if (strcmp(name, "SHORT") == 0)
        return SHORT;
    for (int error = 1; error < 134; error++) {
        const char* known = sim_error_name(error);
        if (known != NULL && strcmp(known, name) == 0)
            return error;
    }
    return 0;
}

/* The calls that the world knows, and what each can really answer. */
static const struct {
    const char* name;
    const char* errors;
} calls[] = {
    {"accept", "EMFILE ENFILE ECONNABORTED EINTR ENOBUFS ENOMEM EPERM EPROTO"},
    {"clock", "ETIME"},
    {"cut", "ENETUNREACH"},
    {"connect", "ECONNREFUSED ETIMEDOUT EHOSTUNREACH ENETUNREACH ECONNRESET EACCES EPERM"},
    {"epoll_wait", "EINTR"},
    {"fork", "EAGAIN ENOMEM"},
    {"flip", "EIO"},
    {"fsync", "EIO ENOSPC EDQUOT EINTR EROFS"},
    {"ftruncate", "EIO ENOSPC EDQUOT EFBIG EINTR EROFS"},
    {"full", "ENOSPC"},
    {"getaddrinfo", "EAGAIN ENOENT"},
    {"half", "ETIMEDOUT"},
    {"malloc", "ENOMEM"},
    {"mkdir", "ENOSPC EIO EDQUOT EACCES EMLINK EPERM EROFS"},
    {"open", "EMFILE ENFILE ENOSPC EIO EACCES EDQUOT EINTR ENOENT ENOMEM EPERM EROFS ETXTBSY"},
    {"pause", "ETIME"},
    {"preempt", "ETIME"},
    {"pthread_create", "EAGAIN"},
    {"read", "EIO EINTR"},
    {"read_short", "SHORT"},
    {"recv", "EINTR EAGAIN"},
    {"recv_net", "ECONNRESET ETIMEDOUT EHOSTUNREACH ENETUNREACH"},
    {"recv_short", "SHORT"},
    {"recvfrom", "EINTR EAGAIN ECONNREFUSED"},
    {"reset", "ECONNRESET"},
    {"rename", "EIO ENOSPC EACCES EDQUOT EPERM EROFS EXDEV"},
    {"send", "EINTR EAGAIN ENOBUFS"},
    {"send_net", "ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH"},
    {"send_short", "SHORT"},
    {"sendto", "EINTR EAGAIN ENOBUFS ENETUNREACH EHOSTUNREACH EPERM"},
    {"slow", "ETIME"},
    {"socket", "EMFILE ENFILE ENOBUFS ENOMEM EACCES"},
    {"step", "ETIME"},
    {"stuck", "ETIME"},
    {"unlink", "EIO EACCES EPERM EROFS"},
    {"write", "ENOSPC EIO EINTR EDQUOT EFBIG"},
    {"write_short", "SHORT"},
};

/* NULL: there is no such call. */
static const char* errors_of(const char* call) {
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        if (strcmp(calls[i].name, call) == 0)
            return calls[i].errors;
    return NULL;
}

static const char* calls_known(void) {
    static char list[512];
    size_t used = 0;
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]) && used < sizeof(list); i++)
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i > 0 ? ", " : "",
                                 calls[i].name);
    return list;
}

static bool has_word(const char* list, const char* word) {
    size_t length = strlen(word);
    for (const char* at = list; *at != '\0'; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == length && strncmp(at, word, length) == 0)
            return true;
    return false;
}

/* "write@37=ENOSPC", "server:write@37=ENOSPC" */
bool sim_parse_fault(const char* text, struct ph_settings* settings) {
    struct ph_planned planned = {0};
    const char* at = strrchr(text, '@');
    const char* colon = at != NULL ? memrchr(text, ':', (size_t)(at - text)) : NULL;
    const char* call = colon != NULL ? colon + 1 : text;
    char* end = NULL;
    if (at != NULL && isdigit((unsigned char)at[1]))
        planned.number = strtoull(at + 1, &end, 10);
    if (end == NULL || *end != '=' || at == call || colon == text ||
        (size_t)(at - call) >= sizeof(planned.call) ||
        (size_t)(call - text) > sizeof(planned.host) || planned.number == 0)
        return sim_complain("\"%s\" is no fault ([HOST:]CALL@NUMBER=ERROR, for example "
                            "write@37=ENOSPC)",
                            text);
    memcpy(planned.call, call, (size_t)(at - call));
    if (colon != NULL)
        memcpy(planned.host, text, (size_t)(colon - text));
    const char* errors = errors_of(planned.call);
    if (errors == NULL)
        return sim_complain("\"%s\" is no call that the world knows (%s)", planned.call,
                            calls_known());
    planned.error = error_named(end + 1);
    if (planned.error == 0)
        return sim_complain("\"%s\" is no error", end + 1);
    if (!has_word(errors, end + 1))
        return sim_complain("%s can't fail with %s (%s)", planned.call, end + 1, errors);
    if (settings->planned_count == PH_PLAN_MAX)
        return sim_complain("more than %d faults", PH_PLAN_MAX);
    settings->planned[settings->planned_count++] = planned;
    return true;
}

/* "10", "1.5s", "20ms", "2h", "1d"; a number alone is seconds. */
bool sim_read_time(const char* text, uint64_t* ns) {
    static const struct {
        const char* name;
        double ns;
    } units[] = {{"", 1e9},     {"s", 1e9},  {"ms", 1e6},   {"us", 1e3},   {"ns", 1},
                 {"min", 60e9}, {"m", 60e9}, {"h", 3600e9}, {"d", 86400e9}};
    char* end;
    double value = strtod(text, &end);
    while (*end == ' ')
        end++;
    for (size_t i = 0; end != text && i < sizeof(units) / sizeof(units[0]); i++)
        if (strcmp(units[i].name, end) == 0 && value >= 0 && value * units[i].ns < 1.8e19) {
            *ns = (uint64_t)(value * units[i].ns);
            return true;
        }
    return false;
}

bool sim_parse_time(const char* text, uint64_t* ns) {
    return sim_read_time(text, ns) || sim_complain("\"%s\" is no time (10s, 20ms, 2h, 1d)", text);
}
