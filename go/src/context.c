#include "context.h"

#include <stdint.h>
#include <string.h>

#if GO_WITH_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
/* Whose bounds go__context_entered and the end of a switch get to know. */
static __thread struct go__context* previous;
#endif
#if GO_WITH_TSAN
#include <sanitizer/tsan_interface.h>
#endif

#if !GO_WITH_UCONTEXT
void go__enter(void);
#endif

void go__context_swap_exceptions(struct go__context* from, const struct go__context* to) {
    struct go__exceptions* now = __cxa_get_globals();
    *from->exceptions = *now;
    *now = *to->exceptions;
}

#if GO_WITH_UCONTEXT
/* makecontext passes ints only. */
static void enter_by_halves(unsigned entry_high, unsigned entry_low, unsigned argument_high,
                            unsigned argument_low) {
    void (*entry)(void*) =
        (void (*)(void*))(uintptr_t)((uint64_t)entry_high << 32 | (uint64_t)entry_low);
    entry((void*)(uintptr_t)((uint64_t)argument_high << 32 | (uint64_t)argument_low));
}

static void make_place(struct go__context* context, void* low, size_t size, void (*entry)(void*),
                       void* argument) {
    uint64_t e = (uint64_t)(uintptr_t)entry, a = (uint64_t)(uintptr_t)argument;
    getcontext(&context->place);
    context->place.uc_stack.ss_sp = low;
    context->place.uc_stack.ss_size = size;
    context->place.uc_link = NULL;
    makecontext(&context->place, (void (*)(void))enter_by_halves, 4, (unsigned)(e >> 32),
                (unsigned)e, (unsigned)(a >> 32), (unsigned)a);
}

#else
static void make_place(struct go__context* context, void* low, size_t size, void (*entry)(void*),
                       void* argument) {
    char* top = (char*)low + size;
#if defined(__x86_64__)
    enum { CONTROL, R15, R14, R13, R12, RBX, RBP, RIP, WORDS };
    /* go__enter's call leaves the stack as a function expects it: a multiple of 16, and 8. */
    uintptr_t* frame = (uintptr_t*)top - WORDS - 2;
    for (int i = 0; i < WORDS + 2; i++)
        frame[i] = 0;
    __asm__("stmxcsr %0" : "=m"(*(uint32_t*)&frame[CONTROL]));
    __asm__("fnstcw %0" : "=m"(((uint16_t*)&frame[CONTROL])[2]));
    frame[R12] = (uintptr_t)entry;
    frame[R13] = (uintptr_t)argument;
    frame[RIP] = (uintptr_t)go__enter;
#else
    enum { X29, X30, X19, X20, WORDS = 20 };
    uintptr_t* frame = (uintptr_t*)top - WORDS;
    memset(frame, 0, WORDS * sizeof(uintptr_t));
    frame[X19] = (uintptr_t)entry;
    frame[X20] = (uintptr_t)argument;
    frame[X30] = (uintptr_t)go__enter;
#endif
    context->place = frame;
}
#endif

void go__context_make(struct go__context* context, void* low, size_t size, void (*entry)(void*),
                      void* argument) {
#if GO_WITH_ASAN
    /* What the last coroutine on this stack left marked. */
    ASAN_UNPOISON_MEMORY_REGION(low, size);
    context->fake_stack = NULL;
    context->low = low;
    context->size = size;
#endif
#if GO_WITH_TSAN
    go__context_drop(context);
    context->fiber = __tsan_create_fiber(0);
#endif
    *context->exceptions = (struct go__exceptions){NULL, 0};
    make_place(context, low, size, entry, argument);
}

void go__context_drop(struct go__context* context) {
#if GO_WITH_TSAN
    if (context->fiber != NULL)
        __tsan_destroy_fiber(context->fiber);
    context->fiber = NULL;
#else
    (void)context;
#endif
}

void go__context_entered(void) {
#if GO_WITH_ASAN
    __sanitizer_finish_switch_fiber(NULL, &previous->low, &previous->size);
#endif
}

#if GO_WITH_ASAN || GO_WITH_TSAN
void go__context_switch_watched(struct go__context* from, struct go__context* to, bool last) {
#if GO_WITH_ASAN
    previous = from;
    __sanitizer_start_switch_fiber(last ? NULL : &from->fake_stack, to->low, to->size);
#else
    if (!last)
        from->fiber = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to->fiber, 0);
#endif
    go__context_change(from, to);
#if GO_WITH_ASAN
    __sanitizer_finish_switch_fiber(from->fake_stack, &previous->low, &previous->size);
#endif
}
#endif
