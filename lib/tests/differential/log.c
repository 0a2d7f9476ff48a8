/* The log lives in memory that the parent shares, so that a crash loses nothing. */

#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"

struct log* shared_log;
int log_depth;

static void append(const char* format, va_list arguments) {
    size_t room = sizeof(shared_log->text) - shared_log->used;
    int length = vsnprintf(shared_log->text + shared_log->used, room, format, arguments);
    if (length > 0 && (size_t)length < room)
        shared_log->used += (size_t)length;
}

void log_note(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    append(format, arguments);
    va_end(arguments);
}

void log_line(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    log_note("\n%*s", log_depth * 2, "");
    append(format, arguments);
    va_end(arguments);
}

const char* result_text(long long result) {
    static char text[32];
    if (result == 0)
        return "ok";
    if (result < 0)
        return uv_err_name((int)result);
    snprintf(text, sizeof(text), "%lld", result);
    return text;
}

unsigned sum_of(const char* bytes, size_t count) {
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++)
        sum = sum * 31 + (unsigned char)bytes[i];
    return sum & 0xffff;
}
