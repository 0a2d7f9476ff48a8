/*
 * The machine's own stack of a thread that takes long: its registers and the top of its stack as
 * they are. They are unwound when a report is made (trace/read/unwind.c), never in the program.
 *
 * A thread that computes is sent a signal whose handler takes the copy. One that is in a system
 * call is left alone, so that no call ends early: the kernel says where its stack is.
 */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "recorder/calls.h"
#include "recorder/sampler.h"

#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(PHASOR_PLAIN_PROCESSOR)

enum {
    COPY = 11 << 10,
    PART = 1 << 10, /* the kernel copies whole parts only */
    PARTS = COPY / PART,
    PATIENCE = 100 /* times 0.1 ms, until the handler must have run */
};

/* By the numbers that debug information has for them. */
#ifdef __x86_64__
static const int registers[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                REG_R12, REG_R13, REG_R14, REG_R15};
enum { REGISTERS = 16, STACK_POINTER = 7, FRAME_POINTER = 6 };
#else
enum { REGISTERS = 32, STACK_POINTER = 31, FRAME_POINTER = 29 };
#endif

enum state { IDLE, WANTED, TAKING, TAKEN };

/* One at a time. */
static struct {
    int state;
    int tid;
    uint64_t pc;
    uint64_t mask; /* of the registers that are known */
    uint64_t values[REGISTERS];
    size_t size;
    unsigned char bytes[COPY];
    void* interpreter;      /* Python's */
    void* isolate;          /* V8's */
    struct ph_stack frames; /* what the engine runs */
    bool has_frames;
    bool only_asks; /* nothing is copied */
} copy;

static bool may_send; /* no call of the program would end early */

static void take_stack(uint64_t from) {
    struct iovec here = {copy.bytes, COPY}, there[PARTS];
    for (size_t i = 0; i < PARTS; i++)
        there[i] = (struct iovec){(void*)(uintptr_t)(from + i * PART), PART}; /* NOLINT */
    long n = syscall(SYS_process_vm_readv, syscall(SYS_getpid), &here, 1, there, PARTS, 0);
    copy.size = n > 0 ? (size_t)n : 0;
}

static void take_frames(void) {
    bool all = (copy.mask >> FRAME_POINTER & 1) != 0;
    copy.has_frames =
        (copy.interpreter != NULL && ph_python_frames(copy.interpreter, &copy.frames)) ||
        (copy.isolate != NULL && ph_v8_frames(copy.isolate, copy.values[STACK_POINTER],
                                              all ? copy.values[FRAME_POINTER] : 0, &copy.frames));
}

static void take_copy(const mcontext_t* machine) {
#ifdef __x86_64__
    copy.pc = (uint64_t)machine->gregs[REG_RIP];
    for (int i = 0; i < REGISTERS; i++)
        copy.values[i] = (uint64_t)machine->gregs[registers[i]];
    copy.mask = 0xffff;
#else
    copy.pc = machine->pc;
    memcpy(copy.values, machine->regs, sizeof(machine->regs));
    copy.values[STACK_POINTER] = machine->sp;
    copy.mask = 0xffffffff;
#endif
    take_stack(copy.values[STACK_POINTER]);
    take_frames();
}

static void on_signal(int number, siginfo_t* info, void* context) {
    mcontext_t* machine = &((ucontext_t*)context)->uc_mcontext;
    int expected = WANTED, before = errno;
    (void)number;
    (void)info;
    /* The thread was about to sleep when the signal was on its way. */
    ph_call_begin_again(machine);
    errno = before;
    if (__atomic_load_n(&copy.tid, __ATOMIC_ACQUIRE) != (int)syscall(SYS_gettid) ||
        !__atomic_compare_exchange_n(&copy.state, &expected, TAKING, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
        return;
    ph_lua_ask();
    if (!copy.only_asks)
        take_copy(machine);
    __atomic_store_n(&copy.state, TAKEN, __ATOMIC_RELEASE);
    errno = before;
}

/* Where nobody uses it. A program that the process becomes just then ignores it, which is so with
 * few signals. */
static bool has_signal(void) {
    struct sigaction old;
    struct sigaction ours = {.sa_sigaction = on_signal,
                             .sa_flags = SA_RESTART | SA_SIGINFO | SA_ONSTACK};
    if (sigaction(SIGURG, NULL, &old) != 0)
        return false;
    if (old.sa_sigaction == on_signal)
        return true;
    sigfillset(&ours.sa_mask);
    return old.sa_handler == SIG_DFL && sigaction(SIGURG, &ours, NULL) == 0;
}

/* A file of the thread's in /proc, into `text`. */
static bool read_about(int tid, const char* file, char* text, size_t size) {
    char path[64];
    snprintf(path, sizeof(path), "/proc/self/task/%d/%s", tid, file);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd != -1 ? read(fd, text, size - 1) : -1;
    if (fd != -1)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* What is sent to a thread that holds it back would wait, even for the next program. */
static bool holds_back(int tid) {
    char text[4096];
    if (!read_about(tid, "status", text, sizeof(text)))
        return true;
    const char* line = strstr(text, "\nSigBlk:");
    unsigned long long mask = line != NULL ? strtoull(line + 8, NULL, 16) : ~0ull;
    return (mask >> (SIGURG - 1) & 1) != 0;
}

static bool send_and_wait(int tid) {
    const struct timespec pause = {.tv_nsec = 100000};
    int expected = WANTED;
    __atomic_store_n(&copy.tid, tid, __ATOMIC_RELAXED);
    __atomic_store_n(&copy.state, WANTED, __ATOMIC_RELEASE);
    if (syscall(SYS_tgkill, getpid(), tid, SIGURG) == 0)
        for (int i = 0; i < PATIENCE; i++) {
            nanosleep(&pause, NULL);
            if (__atomic_load_n(&copy.state, __ATOMIC_ACQUIRE) == TAKEN)
                return true;
        }
    if (__atomic_compare_exchange_n(&copy.state, &expected, IDLE, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return false;
    while (__atomic_load_n(&copy.state, __ATOMIC_ACQUIRE) != TAKEN)
        nanosleep(&pause, NULL);
    return true;
}

static bool can_send(int tid) {
    return may_send && has_signal() && !holds_back(tid);
}

/* "running", or the number of the call, its six arguments, the stack pointer and the next
 * instruction. */
static bool take(int tid, bool may_wait, bool may_run) {
    char text[256], again[256];
    unsigned long long stack, pc;
    if (!read_about(tid, "syscall", text, sizeof(text)))
        return false;
    if (strncmp(text, "running", 7) == 0)
        return may_run && can_send(tid) && send_and_wait(tid);
    /* A program that waits for its loop's descriptor keeps nobody waiting. */
    if (may_wait || sscanf(text, "%*d %*x %*x %*x %*x %*x %*x %llx %llx", &stack, &pc) != 2)
        return false;
    copy.pc = pc;
    copy.mask = 1ull << STACK_POINTER;
    copy.values[STACK_POINTER] = stack;
    take_stack(stack);
    take_frames();
    return read_about(tid, "syscall", again, sizeof(again)) && strcmp(text, again) == 0;
}

void ph_native_begin(void) {
    may_send = has_signal() && ph_calls_learn(SIGURG);
}

static void put(struct ph_stack* stack, uint64_t number) {
    stack->size += ph_put_varint(stack->data + stack->size, number);
}

static void put_bytes(struct ph_stack* stack, const void* bytes, size_t size) {
    memcpy(stack->data + stack->size, bytes, size);
    stack->size += size;
}

/* The machine's own stack, and what V8 ran when it called native code. */
static void put_raw(struct ph_stack* stack, int tid, uint64_t since) {
    bool both = copy.has_frames;
    ph_stack_head(stack, tid, 0, since, both ? PH_STACK_BOTH : PH_STACK_RAW);
    if (both) {
        put(stack, copy.frames.size);
        put_bytes(stack, copy.frames.data, copy.frames.size);
    }
    put(stack, copy.pc);
    put(stack, copy.mask);
    for (int i = 0; i < REGISTERS; i++)
        if (copy.mask >> i & 1)
            put(stack, copy.values[i]);
    size_t room = sizeof(stack->data) - stack->size;
    put_bytes(stack, copy.bytes, copy.size < room ? copy.size : room);
}

bool ph_native_stack(const struct ph_buffer* buffer, uint64_t since, bool may_run,
                     struct ph_stack* stack) {
    bool outside = __atomic_load_n(&buffer->outside, __ATOMIC_RELAXED);
    bool beyond = __atomic_load_n(&buffer->beyond, __ATOMIC_RELAXED);
    int tid = ph_buffer_owner(buffer);
    copy.interpreter = outside ? NULL : __atomic_load_n(&buffer->interpreter, __ATOMIC_RELAXED);
    copy.isolate = outside && !beyond ? NULL : __atomic_load_n(&buffer->isolate, __ATOMIC_RELAXED);
    copy.frames.size = 0;
    if (copy.interpreter != NULL)
        ph_stack_head(&copy.frames, tid, 0, since, PH_STACK_NAMED);
    if (!take(tid, outside && __atomic_load_n(&buffer->may_wait, __ATOMIC_RELAXED), may_run))
        return false;
    bool named = copy.has_frames && copy.interpreter != NULL;
    if (named)
        *stack = copy.frames;
    else
        put_raw(stack, tid, since);
    __atomic_store_n(&copy.state, IDLE, __ATOMIC_RELEASE);
    return copy.has_frames || copy.size > 0;
}

void ph_native_ask_lua(const struct ph_buffer* buffer) {
    char text[256];
    int tid = ph_buffer_owner(buffer);
    if (!read_about(tid, "syscall", text, sizeof(text)) || strncmp(text, "running", 7) != 0 ||
        !can_send(tid))
        return;
    copy.only_asks = true;
    if (send_and_wait(tid))
        __atomic_store_n(&copy.state, IDLE, __ATOMIC_RELEASE);
    copy.only_asks = false;
}

#else

void ph_native_begin(void) {}

void ph_native_ask_lua(const struct ph_buffer* buffer) {
    (void)buffer;
}

bool ph_native_stack(const struct ph_buffer* buffer, uint64_t since, bool may_run,
                     struct ph_stack* stack) {
    (void)buffer;
    (void)since;
    (void)may_run;
    (void)stack;
    return false;
}

#endif
