/* What the signals are called that can end a program. */

#include "report/signals.h"

#include <signal.h>
#include <stddef.h>

static const struct {
    int number;
    const char* name;
} signals[] = {
#define ROW(name) \
    { name, #name }
    ROW(SIGHUP),    ROW(SIGINT),    ROW(SIGQUIT), ROW(SIGILL),   ROW(SIGTRAP), ROW(SIGABRT),
    ROW(SIGBUS),    ROW(SIGFPE),    ROW(SIGKILL), ROW(SIGUSR1),  ROW(SIGSEGV), ROW(SIGUSR2),
    ROW(SIGPIPE),   ROW(SIGALRM),   ROW(SIGTERM), ROW(SIGCHLD),  ROW(SIGCONT), ROW(SIGSTOP),
    ROW(SIGTSTP),   ROW(SIGTTIN),   ROW(SIGTTOU), ROW(SIGURG),   ROW(SIGXCPU), ROW(SIGXFSZ),
    ROW(SIGPROF),   ROW(SIGVTALRM), ROW(SIGPOLL), ROW(SIGWINCH), ROW(SIGPWR),  ROW(SIGSYS),
#ifdef SIGSTKFLT
    ROW(SIGSTKFLT),
#endif
};

const char* report_signal_name(int number) {
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        if (signals[i].number == number)
            return signals[i].name;
    return NULL;
}
