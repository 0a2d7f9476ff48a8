#ifndef GO_CONTEXT_H
#define GO_CONTEXT_H

/* A place where execution rests: on a stack of its own, or on the one that entered a coroutine. */

#include <stdbool.h>
#include <stddef.h>

#if defined(GO_UCONTEXT) || defined(PHASOR_PLAIN_PROCESSOR) || \
    !(defined(__x86_64__) || defined(__aarch64__))
#define GO_WITH_UCONTEXT 1
#include <ucontext.h>
#else
#define GO_WITH_UCONTEXT 0
#endif

#ifdef __has_feature
#define GO_HAS_FEATURE(name) __has_feature(name)
#else
#define GO_HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || GO_HAS_FEATURE(address_sanitizer)
#define GO_WITH_ASAN 1
#else
#define GO_WITH_ASAN 0
#endif
#if defined(__SANITIZE_THREAD__) || GO_HAS_FEATURE(thread_sanitizer)
#define GO_WITH_TSAN 1
#else
#define GO_WITH_TSAN 0
#endif

struct go__context {
#if GO_WITH_UCONTEXT
    ucontext_t place;
#else
    void* place; /* the stack pointer */
#endif
#if GO_WITH_ASAN
    void* fake_stack;
    const void* low;
    size_t size;
#endif
#if GO_WITH_TSAN
    void* fiber;
#endif
    struct go__exceptions* exceptions; /* elsewhere: only C++ looks at them */
};

struct go__exceptions {
    void* caught;
    unsigned uncaught;
};

/* The next switch to it calls entry(argument) on that stack; entry must not return. Its place for
 * exceptions is there. */
void go__context_make(struct go__context* context, void* low, size_t size, void (*entry)(void*),
                      void* argument);
/* The stack is not used any more. */
void go__context_drop(struct go__context* context);
/* First call of an entry. */
void go__context_entered(void);

/*
 * The C++ library keeps the exceptions that are being handled in a list for each thread. A
 * coroutine that waits inside a catch block takes its list along. Only where there is a C++
 * library.
 */
extern struct go__exceptions* __cxa_get_globals(void) __attribute__((weak));
void go__context_swap_exceptions(struct go__context* from, const struct go__context* to);

#if GO_WITH_UCONTEXT
static inline void go__context_change(struct go__context* from, struct go__context* to) {
    swapcontext(&from->place, &to->place);
}
#else
void go__switch(void** save, void* to);

static inline void go__context_change(struct go__context* from, struct go__context* to) {
    go__switch(&from->place, to->place);
}
#endif

void go__context_switch_watched(struct go__context* from, struct go__context* to, bool last);

/* `last`: nobody will come back to `from`. */
static inline void go__context_switch(struct go__context* from, struct go__context* to, bool last) {
    if (__cxa_get_globals != NULL)
        go__context_swap_exceptions(from, to);
#if GO_WITH_ASAN || GO_WITH_TSAN
    go__context_switch_watched(from, to, last);
#else
    (void)last;
    go__context_change(from, to);
#endif
}

#endif
