#ifndef PH_SIM_ORDER_H
#define PH_SIM_ORDER_H

/* What a process of a world is told by the launcher: in its environment, and by its standard
 * streams. */

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "world/world.h"

struct ph_order {
    char world[64]; /* the files, as every process can open them */
    char errors[64];
    bool quiet; /* what is printed goes nowhere, but what goes to standard error into `errors` */
    char host[PH_NAME_MAX];
    char seed[24];            /* for Python's hashes */
    char recording[PATH_MAX]; /* empty: none */
};

/* By the process itself. */
static inline void ph_order_obey(const struct ph_order* order) {
    char text[sizeof(order->world) + 32];
    /* Always as long: the stack lies below the environment. */
    snprintf(text, sizeof(text), "%*d:%.60s", (int)(sizeof(order->world) - strlen(order->world)),
             (int)getpid(), order->world);
    setenv("PHASOR_SIM", text, 1);
    setenv("PHASOR_SIM_HOST", order->host, 1);
    setenv("PYTHONHASHSEED", order->seed, 0);
    if (order->recording[0] != '\0')
        setenv("PHASOR_TRACE", order->recording, 1);
    if (!order->quiet)
        return;
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    int errors = open(order->errors, O_RDWR | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    dup2(errors >= 0 ? errors : nowhere, STDERR_FILENO);
    dup2(nowhere, STDIN_FILENO);
    if (errors >= 0)
        close(errors);
    close(nowhere);
}

#endif
