#ifndef PH_TOOLS_SIM_CORPUS_H
#define PH_TOOLS_SIM_CORPUS_H

/*
 * A file of seeds that have failed before, which a search tries first, and of where the last search
 * ended, for the next one to go on. Lines: "seed 17 why it failed", "next 1001"; what follows # is
 * a comment.
 */

#include <stdbool.h>
#include <stdint.h>

enum { CORPUS_MAX = 1024 };

struct corpus {
    uint64_t seeds[CORPUS_MAX];
    uint32_t count;
    uint64_t next; /* 0: not known */
};

/* A file that is not there is an empty one; false with a sentence on standard error. */
bool corpus_read(const char* file, struct corpus* corpus);
/* The same file with another end; lines of seeds stay as they are, new ones are added. */
bool corpus_write(const char* file, const struct corpus* old, uint64_t next, const uint64_t* seeds,
                  const char* const* whys, uint32_t count);

#endif
