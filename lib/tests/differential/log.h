#ifndef DIFFERENTIAL_LOG_H
#define DIFFERENTIAL_LOG_H

#include <stddef.h>

struct log {
    size_t used;
    char text[256 * 1024];
};

extern struct log* shared_log;

#endif
