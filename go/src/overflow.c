/* A coroutine whose stack has run into its guard page, or beyond, ends the process, with its name.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "scheduler.h"

enum { HANDLER_STACK = 64 * 1024, FRAME_MOST = 1 << 20, DEEPEST = 64 << 20 };

static struct sigaction earlier_segv, earlier_bus;
static pthread_key_t handler_stack_key;
static __thread bool thread_is_watched __attribute__((tls_model("initial-exec")));

static size_t append(char* text, size_t length, size_t size, const char* more) {
    while (*more != '\0' && length + 1 < size)
        text[length++] = *more++;
    text[length] = '\0';
    return length;
}

/* Called from a signal's handler: no printf. */
void go__overflow_report(const go_t* go) {
    char text[320], digits[24];
    size_t length = 0, size = go->size, i = sizeof(digits) - 1;
    digits[i] = '\0';
    do
        digits[--i] = (char)('0' + size % 10);
    while ((size /= 10) > 0);
    length = append(text, length, sizeof(text), "phasor_go: the stack of coroutine \"");
    length = append(text, length, sizeof(text), go->name[0] != '\0' ? go->name : "(no name)");
    length = append(text, length, sizeof(text), "\" (");
    length = append(text, length, sizeof(text), digits + i);
    length = append(text, length, sizeof(text),
                    " bytes) has overflowed; start it with a larger one (go_options_t.stack)\n");
    if (write(STDERR_FILENO, text, length) < 0)
        abort();
    signal(SIGABRT, SIG_DFL);
    abort();
}

static void pass_on(int number, siginfo_t* info, void* context, const struct sigaction* earlier) {
    if ((earlier->sa_flags & SA_SIGINFO) != 0) {
        earlier->sa_sigaction(number, info, context);
    } else if (earlier->sa_handler != SIG_DFL && earlier->sa_handler != SIG_IGN) {
        earlier->sa_handler(number);
    } else {
        /* The instruction is tried again when this returns, and ends the process. One that was sent
         * by kill has no instruction. */
        signal(number, SIG_DFL);
        if (info->si_code <= 0)
            raise(number);
    }
}

static const char* stack_pointer(const void* context) {
    const ucontext_t* at = context;
#if defined(__x86_64__)
    return (const char*)at->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (const char*)at->uc_mcontext.sp;
#else
    (void)at;
    return NULL;
#endif
}

/* In its guard page, or, without one or with a frame that stepped over it, in what lies below: then
 * the stack pointer is there too. */
static bool is_overflow(const go_t* go, const char* address, const char* top) {
    const char* end = go->low + go__page;
    if (go->guarded && address >= go->low && address < end)
        return true;
    return top < end && (size_t)(end - top) < DEEPEST && address < end &&
           (address < top ? top - address : address - top) < FRAME_MOST;
}

static void on_fault(int number, siginfo_t* info, void* context) {
    struct go__scheduler* s = go__here();
    const char* address = info->si_addr;
    if (s != NULL && info->si_code > 0 && is_overflow(s->current, address, stack_pointer(context)))
        go__overflow_report(s->current);
    pass_on(number, info, context, number == SIGBUS ? &earlier_bus : &earlier_segv);
}

static void free_handler_stack(void* memory) {
    stack_t off = {.ss_flags = SS_DISABLE}, now;
    if (sigaltstack(NULL, &now) == 0 && now.ss_sp == memory)
        sigaltstack(&off, NULL);
    munmap(memory, HANDLER_STACK);
}

static void install(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    pthread_key_create(&handler_stack_key, free_handler_stack);
    sigaction(SIGSEGV, &action, &earlier_segv);
    sigaction(SIGBUS, &action, &earlier_bus);
}

void go__overflow_watch(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    go__overflow_watch_thread();
}

/* The handler needs a stack of its own: the coroutine's has no room left. */
void go__overflow_watch_thread(void) {
    stack_t now;
    if (thread_is_watched)
        return;
    thread_is_watched = true;
    if (sigaltstack(NULL, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0)
        return;
    stack_t stack = {.ss_size = HANDLER_STACK};
    stack.ss_sp =
        mmap(NULL, HANDLER_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack.ss_sp == MAP_FAILED)
        return;
    if (sigaltstack(&stack, NULL) != 0 || pthread_setspecific(handler_stack_key, stack.ss_sp) != 0)
        free_handler_stack(stack.ss_sp);
}
