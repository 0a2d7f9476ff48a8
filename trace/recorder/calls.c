#include "recorder/calls.h"

#if defined(__x86_64__) && !defined(PHASOR_PLAIN_PROCESSOR)

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder/peek.h"

/*
 * A call that ends with EINTR has lost its number, and no other register that matters. Where it
 * was loaded from:
 * - most functions: `mov $number, %eax; syscall`;
 * - calls that can be cancelled, in newer C libraries: `mov offset(%rsp), %rax; syscall`, or one
 *   function for all, above whose stack pointer the number still lies. Where is learned: from two
 *   calls whose numbers are known.
 */

enum { LENGTH = 7, WORDS = 16 };

static struct {
    int tid; /* the thread that learns */
    uint64_t number;
    uint64_t pc;
    uint32_t found; /* bits: the words above the stack pointer that had the number */
    bool known;     /* without learning */
} lesson;

static struct {
    uint64_t pc;
    unsigned word;
} learned;

static bool find_number(const mcontext_t* machine, uint64_t* number) {
    static const unsigned char from_stack[] = {0x48, 0x8b, 0x44, 0x24};
    uint64_t next = (uint64_t)machine->gregs[REG_RIP], stack = (uint64_t)machine->gregs[REG_RSP];
    unsigned char code[LENGTH];
    *number = 0;
    if (!ph_peek(next - LENGTH, code, LENGTH) || code[LENGTH - 2] != 0x0f ||
        code[LENGTH - 1] != 0x05)
        return false;
    if (code[0] == 0xb8) {
        memcpy(number, code + 1, sizeof(uint32_t));
        return true;
    }
    if (memcmp(code, from_stack, sizeof(from_stack)) == 0)
        return ph_peek(stack + code[sizeof(from_stack)], number, sizeof(*number));
    return __atomic_load_n(&learned.pc, __ATOMIC_ACQUIRE) == next &&
           ph_peek(stack + learned.word * sizeof(*number), number, sizeof(*number));
}

static void take_lesson(const mcontext_t* machine) {
    uint64_t stack[WORDS] = {0};
    uint64_t number, pc = (uint64_t)machine->gregs[REG_RIP];
    uint32_t found = 0;
    bool seen = ph_peek((uint64_t)machine->gregs[REG_RSP], stack, sizeof(stack));
    for (unsigned i = 0; seen && i < WORDS; i++)
        if (stack[i] == lesson.number)
            found |= 1u << i;
    lesson.found = lesson.pc == 0 ? found : lesson.pc == pc ? lesson.found & found : 0;
    lesson.pc = pc;
    lesson.known = find_number(machine, &number) && number == lesson.number;
}

void ph_call_begin_again(mcontext_t* machine) {
    uint64_t number;
    if (machine->gregs[REG_RAX] != -EINTR)
        return;
    int learner = __atomic_load_n(&lesson.tid, __ATOMIC_RELAXED);
    if (learner != 0 && learner == (int)syscall(SYS_gettid)) {
        take_lesson(machine);
    } else if (find_number(machine, &number)) {
        machine->gregs[REG_RAX] = (greg_t)number;
        machine->gregs[REG_RIP] -= 2;
    }
}

/* The signal waits; the call lets it in and ends at once. */
bool ph_calls_learn(int signal_number) {
    const struct timespec second = {.tv_sec = 1};
    sigset_t all_but_ours;
    sigfillset(&all_but_ours);
    sigdelset(&all_but_ours, signal_number);
    __atomic_store_n(&lesson.tid, (int)syscall(SYS_gettid), __ATOMIC_RELAXED);
    lesson.pc = 0;

    lesson.number = SYS_pselect6;
    pthread_kill(pthread_self(), signal_number);
    pselect(0, NULL, NULL, NULL, &second, &all_but_ours);

    lesson.number = SYS_ppoll;
    pthread_kill(pthread_self(), signal_number);
    ppoll(NULL, 0, &second, &all_but_ours);

    __atomic_store_n(&lesson.tid, 0, __ATOMIC_RELAXED);
    if (lesson.known || lesson.found == 0)
        return lesson.known;
    learned.word = (unsigned)__builtin_ctz(lesson.found);
    __atomic_store_n(&learned.pc, lesson.pc, __ATOMIC_RELEASE);
    return true;
}

#else

/* The kernel begins most calls again by itself. */
void ph_call_begin_again(mcontext_t* machine) {
    (void)machine;
}

bool ph_calls_learn(int signal_number) {
    (void)signal_number;
    return true;
}

#endif
