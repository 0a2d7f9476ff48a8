#ifndef PH_SIM_SIGHT_H
#define PH_SIM_SIGHT_H

/* What the page of a world shows, each with its times: see sim/search/page.c. Kept only if somebody
 * asked for the page; of very many the last ones. All with the lock held. */

#include <stddef.h>
#include <stdint.h>

enum { PH_SIGHTS_MAX = 1 << 16, PH_SIGHT_TEXT = 92 };

enum ph_sight_kind {
    PH_SIGHT_BYTES, /* of a stream, from one host to another */
    PH_SIGHT_END,   /* of a stream */
    PH_SIGHT_CONNECT,
    PH_SIGHT_REFUSED,
    PH_SIGHT_RESET,
    PH_SIGHT_DATAGRAM,
    PH_SIGHT_LOST,
    PH_SIGHT_OUTPUT, /* of a program */
    PH_SIGHT_ERRORS,
    PH_SIGHT_LOG /* a fault, or what happened to a host or a way */
};

struct ph_sight {
    uint64_t begins;
    uint64_t ends;
    uint64_t step; /* of the world, when it ended */
    uint32_t size;
    int8_t kind;
    int8_t from;
    int8_t to;
    char text[PH_SIGHT_TEXT + 1];
};

/* From `begins` until now. */
void ph_see(enum ph_sight_kind kind, int from, int to, uint64_t begins, size_t size);
void ph_see_text(enum ph_sight_kind kind, int host, const char* text, size_t size);

#endif
