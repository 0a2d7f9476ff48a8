/*
 * The last moments before a crash are those that one wants to see. While something is recorded, a
 * fault or an abort waits until the file has them; then the program dies as it would have.
 */

#include <errno.h>
#include <signal.h>
#include <stddef.h>

#include "recorder/recorder.h"

static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
enum { FATAL = sizeof(fatal) / sizeof(fatal[0]) };

static void on_crash(int signum, siginfo_t* info, void* context) {
    struct sigaction plain = {.sa_handler = SIG_DFL};
    int err = errno;
    (void)context;
    ph_writer_flush_in_crash();
    sigaction(signum, &plain, NULL);
    /* A fault is met again when this returns; a signal that was sent has to be sent again. */
    if (info->si_code <= 0)
        raise(signum);
    errno = err;
}

static bool has_handler(int signum, struct sigaction* action) {
    return sigaction(signum, NULL, action) != 0 || (action->sa_flags & SA_SIGINFO) ||
           action->sa_handler != SIG_DFL;
}

/* Only where the program has not said what it wants. */
void ph_crash_watch(void) {
    struct sigaction ours = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct sigaction theirs;
    sigemptyset(&ours.sa_mask);
    for (size_t i = 0; i < FATAL; i++)
        if (!has_handler(fatal[i], &theirs))
            sigaction(fatal[i], &ours, NULL);
}

void ph_crash_unwatch(void) {
    struct sigaction plain = {.sa_handler = SIG_DFL};
    struct sigaction now;
    for (size_t i = 0; i < FATAL; i++)
        if (has_handler(fatal[i], &now) && (now.sa_flags & SA_SIGINFO) &&
            now.sa_sigaction == on_crash)
            sigaction(fatal[i], &plain, NULL);
}
