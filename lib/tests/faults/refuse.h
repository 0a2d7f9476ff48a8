#ifndef REFUSE_H
#define REFUSE_H

/*
 * System calls and functions of the C library that fail when a test says so. A file names them in
 * its line "// wrap:" and replaces each with REPLACE, or with REPLACE_RETURNING if the function
 * returns its error instead of setting errno.
 */

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "harness.h"

static struct {
    const char* call;
    int after; /* so many calls pass first */
    int times; /* so many fail then; -1: all */
    int error;
    int count;        /* how many have failed */
    const char* also; /* another one, of which all calls fail */
    int also_error;
} refusal;

static inline void refuse(const char* call, int after, int times, int error) {
    refusal.call = call;
    refusal.after = after;
    refusal.times = times;
    refusal.error = error;
    refusal.count = 0;
}

static inline void refuse_also(const char* call, int error) {
    refusal.also = call;
    refusal.also_error = error;
}

static inline void allow_all(void) {
    refusal.call = NULL;
    refusal.also = NULL;
}

/* What runs at the end of the program is no part of the test. */
__attribute__((constructor)) static void allow_all_at_exit(void) {
    atexit(allow_all);
}

static inline bool is_refused(const char* call) {
    if (refusal.also != NULL && strcmp(call, refusal.also) == 0) {
        errno = refusal.also_error;
        return true;
    }
    if (refusal.call == NULL || strcmp(call, refusal.call) != 0)
        return false;
    if (refusal.after > 0) {
        refusal.after--;
        return false;
    }
    if (refusal.times == 0)
        return false;
    refusal.times -= refusal.times > 0;
    refusal.count++;
    errno = refusal.error;
    return true;
}

#define REPLACE_WITH(failed, type, call, parameters, ...) \
    REPLACE_DECLARED(failed, type, call, parameters, parameters, __VA_ARGS__)
#define REPLACE_DECLARED(failed, type, call, declared, parameters, ...)         \
    type __real_##call declared;                                                \
    type __wrap_##call parameters;                                              \
    type __wrap_##call parameters {                                             \
        return is_refused(#call) ? (type)(failed) : __real_##call(__VA_ARGS__); \
    }
#define REPLACE(type, call, parameters, ...) REPLACE_WITH(-1, type, call, parameters, __VA_ARGS__)
#define REPLACE_RETURNING(call, parameters, ...) \
    REPLACE_WITH(refusal.error, int, call, parameters, __VA_ARGS__)

/* Some processors call a function with "..." in another way. */
#define REPLACE_FCNTL()                                          \
    REPLACE_DECLARED(-1, int, fcntl, (int fd, int command, ...), \
                     (int fd, int command, long argument), fd, command, argument)
#define REPLACE_IOCTL()                                                    \
    REPLACE_DECLARED(-1, int, ioctl, (int fd, unsigned long request, ...), \
                     (int fd, unsigned long request, void* argument), fd, request, argument)
#define REPLACE_OPEN()                                                  \
    REPLACE_DECLARED(-1, int, open, (const char* path, int flags, ...), \
                     (const char* path, int flags, int mode), path, flags, mode)

/* One call of `call`, after `after` others, fails with `error`; then `run` gives `result`. */
struct refused_case {
    const char* call;
    int after;
    int error;
    int (*run)(void);
    int result;
};

static inline void run_case(const struct refused_case* one) {
    refuse(one->call, one->after, 1, one->error);
    int result = one->run();
    int count = refusal.count;
    allow_all();
    if (count != 1)
        test_fail(__FILE__, __LINE__, "%s was refused %d times", one->call, count);
    if (result != one->result)
        test_fail(__FILE__, __LINE__, "%s refused after %d with %d: %d, not %d", one->call,
                  one->after, one->error, result, one->result);
}

#define RUN_CASES(cases)                                              \
    do {                                                              \
        for (size_t i = 0; i < sizeof(cases) / sizeof(*(cases)); i++) \
            run_case(&(cases)[i]);                                    \
    } while (0)

#endif
