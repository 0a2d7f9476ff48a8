#ifndef PH_TOOLS_SIM_CORPUS_H
#define PH_TOOLS_SIM_CORPUS_H

/*
 * A file of seeds that have failed before, which a search tries first, and of where the last search
 * ended, for the next one to go on. Lines: "seed 17", "seed 17 120:9931" (from step 120 on chance
 * is that of seed 9931), "next 1001"; what follows # is a comment.
 */

#include <stdbool.h>
#include <stdint.h>

#include "search/guide.h"

enum { CORPUS_MAX = 1024 };

struct corpus {
    struct sim_start starts[CORPUS_MAX];
    uint32_t count;
    uint64_t next; /* 0: not known */
};

/* A file that is not there is an empty one; false with a sentence on standard error. */
bool corpus_read(const char* file, struct corpus* corpus);
/* The same file with another end; lines of seeds stay as they are, new ones are added. */
bool corpus_write(const char* file, const struct corpus* old, uint64_t next,
                  const struct sim_start* starts, const char* const* whys, uint32_t count);

#endif
