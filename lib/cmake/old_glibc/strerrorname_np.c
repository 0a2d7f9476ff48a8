#include <errno.h>
#include <stddef.h>
#include <string.h>

/* NAMES is NAME(EPERM) NAME(ENOENT) ...: make.py asks the header. */
const char* strerrorname_np(int error) {
    switch (error) {
    case 0:
        return "0";
#define NAME(name) \
    case name:     \
        return #name;
        NAMES
    default:
        return NULL;
    }
}
