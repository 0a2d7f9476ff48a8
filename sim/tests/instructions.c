/* Asks the machine by instructions of its own, past libc: the processor's counter, and the system
 * call that the argument names. */

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __x86_64__

static long ask(long number, long a, long b, long c) {
    long result = number;
    __asm__ volatile("syscall" : "+a"(result) : "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

static uint64_t ticks(void) {
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

static uint64_t ticks_and_processor(void) {
    uint32_t low, high, processor;
    __asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(processor));
    return ((uint64_t)high << 32 | low) + processor;
}

static volatile sig_atomic_t caught;

static void on_signal(int signal) {
    caught = signal;
}

static void show_world(void) {
    struct timespec now = {0}, hour = {.tv_sec = 3600};
    uint64_t bytes = 0, before = ticks();
    ask(SYS_clock_gettime, CLOCK_REALTIME, (long)&now, 0);
    printf("the calendar %ld\n", (long)now.tv_sec);
    ask(SYS_getrandom, (long)&bytes, sizeof(bytes), 0);
    printf("chance %016llx\n", (unsigned long long)bytes);
    ask(SYS_nanosleep, (long)&hour, 0, 0);
    printf("an hour of ticks: %d, in order: %d\n", ticks() - before > 1000000000,
           ticks_and_processor() >= before);
    printf("no such call: %ld\n", ask(9999, 0, 0, 0));
    /* Handlers of the signals that the world uses are the program's own. */
    signal(SIGSYS, on_signal);
    raise(SIGSYS);
    printf("caught %d\n", caught == SIGSYS);
    fflush(stdout);
    printf("a child %d\n", system("true"));
    if (fork() == 0)
        execlp("true", "true", NULL);
    int status = -1;
    wait(&status);
    printf("another %d\n", status);
}

int main(int argc, char** argv) {
    const struct timespec moment = {.tv_nsec = 1};
    nanosleep(&moment, NULL);
    if (argc > 1 && strcmp(argv[1], "umask") == 0)
        printf("umask %d\n", ask(SYS_umask, 022, 0, 0) >= 0);
    else if (argc > 1 && strcmp(argv[1], "clone") == 0)
        return (int)ask(SYS_clone, SIGCHLD, 0, 0);
    else if (argc > 1 && strcmp(argv[1], "fault") == 0)
        *(volatile char*)mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) = 1;
    else
        show_world();
    return 0;
}

#else

int main(void) {
    return 77;
}

#endif
