#ifndef PH_TOOLS_HISTOGRAM_H
#define PH_TOOLS_HISTOGRAM_H

/* How often each duration (ns) came, in steps of less than 1 %: any number of them in little
 * memory. Count, sum, least and most are exact. */

#include <stdint.h>

enum { HISTOGRAM_STEPS = 128, HISTOGRAM_OCTAVES = 58 };

struct histogram {
    uint64_t count;
    uint64_t sum;
    uint64_t least;
    uint64_t most;
    uint32_t* octaves[HISTOGRAM_OCTAVES]; /* HISTOGRAM_STEPS counts each; NULL: none came */
};

void histogram_add(struct histogram* histogram, uint64_t value);
/* All of the other one, too. */
void histogram_merge(struct histogram* histogram, const struct histogram* other);
/* 0.5: the median; 0 when there are none. */
uint64_t histogram_at(const struct histogram* histogram, double share);
/* How many are at most this long, within a step. */
uint64_t histogram_up_to(const struct histogram* histogram, uint64_t value);
/* The middle of a step. */
uint64_t histogram_value(unsigned octave, unsigned step);
/* All of the other one, which were added before, are not there any more; least and most stay. */
void histogram_remove(struct histogram* histogram, const struct histogram* other);
void histogram_free(struct histogram* histogram);

#endif
