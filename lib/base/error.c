#include "base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "uv.h"

void ph_fatal(const char* format, ...) {
    va_list args;
    va_start(args, format);
    fputs("phasor: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

static const char* known_name(int err) {
    switch (err) {
#define XX(name, _) \
    case UV_##name: \
        return #name;
        UV_ERRNO_MAP(XX)
#undef XX
    default:
        return NULL;
    }
}

static const char* known_message(int err) {
    switch (err) {
#define XX(name, message) \
    case UV_##name:       \
        return message;
        UV_ERRNO_MAP(XX)
#undef XX
    default:
        return NULL;
    }
}

static char* unknown(int err, char* buf, size_t size) {
    snprintf(buf, size, "Unknown system error %d", err);
    return buf;
}

/* Callers keep the pointer for ever, so each unknown code gets one text that is never freed. */
static struct unknown_text {
    struct unknown_text* next;
    int err;
    char text[48];
} * unknown_texts;

static const char* unknown_forever(int err) {
    struct unknown_text* head = __atomic_load_n(&unknown_texts, __ATOMIC_ACQUIRE);
    for (struct unknown_text* entry = head; entry != NULL; entry = entry->next)
        if (entry->err == err)
            return entry->text;
    struct unknown_text* entry = ph_malloc(sizeof(*entry));
    if (entry == NULL)
        return "Unknown system error";
    entry->err = err;
    unknown(err, entry->text, sizeof(entry->text));
    entry->next = head;
    while (!__atomic_compare_exchange_n(&unknown_texts, &entry->next, entry, true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED))
        continue;
    return entry->text;
}

static char* copy_or_unknown(const char* text, int err, char* buf, size_t size) {
    if (text == NULL)
        return unknown(err, buf, size);
    snprintf(buf, size, "%s", text);
    return buf;
}

const char* uv_err_name(int err) {
    const char* name = known_name(err);
    return name != NULL ? name : unknown_forever(err);
}

char* uv_err_name_r(int err, char* buf, size_t buflen) {
    return copy_or_unknown(known_name(err), err, buf, buflen);
}

const char* uv_strerror(int err) {
    const char* message = known_message(err);
    return message != NULL ? message : unknown_forever(err);
}

char* uv_strerror_r(int err, char* buf, size_t buflen) {
    return copy_or_unknown(known_message(err), err, buf, buflen);
}

int uv_translate_sys_error(int sys_errno) {
    return sys_errno <= 0 ? sys_errno : -sys_errno;
}
