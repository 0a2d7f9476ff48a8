#include <signal.h>
#include <stddef.h>
#include <string.h>

/* NAMES is NAME(HUP) NAME(INT) ...: make.py asks the header. */
const char* sigabbrev_np(int number) {
    switch (number) {
#define NAME(name)  \
    case SIG##name: \
        return #name;
        NAMES
    default:
        return NULL;
    }
}
