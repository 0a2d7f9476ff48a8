#include "report/histogram.h"

#include "read/memory.h"

/* Octave 0 has the values below HISTOGRAM_STEPS as they are; each further one doubles the width of
 * a step. */
enum { FIRST_BITS = 7 };

_Static_assert(1 << FIRST_BITS == HISTOGRAM_STEPS, "the first octave is exact");
_Static_assert(FIRST_BITS + HISTOGRAM_OCTAVES - 1 == 64, "every value has its place");

static uint32_t* place_of(struct histogram* histogram, uint64_t value) {
    unsigned bits = value == 0 ? 0 : 64 - (unsigned)__builtin_clzll(value);
    unsigned octave = bits > FIRST_BITS ? bits - FIRST_BITS : 0;
    /* The highest bit is always set from there on: what follows it is the step. */
    uint64_t step = octave > 0 ? (value >> (octave - 1)) - HISTOGRAM_STEPS : value;
    uint32_t** counts = &histogram->octaves[octave];
    if (*counts == NULL)
        *counts = must(calloc(HISTOGRAM_STEPS, sizeof(**counts)));
    return &(*counts)[step];
}

uint64_t histogram_value(unsigned octave, unsigned step) {
    if (octave == 0)
        return step;
    uint64_t low = (uint64_t)(HISTOGRAM_STEPS + step) << (octave - 1);
    return low + ((uint64_t)1 << (octave - 1)) / 2;
}

void histogram_add(struct histogram* histogram, uint64_t value) {
    uint32_t* count = place_of(histogram, value);
    *count += *count < UINT32_MAX;
    if (histogram->count == 0 || value < histogram->least)
        histogram->least = value;
    if (value > histogram->most)
        histogram->most = value;
    histogram->count++;
    histogram->sum += value;
}

void histogram_merge(struct histogram* histogram, const struct histogram* other) {
    if (other->count == 0)
        return;
    for (unsigned i = 0; i < HISTOGRAM_OCTAVES; i++) {
        if (other->octaves[i] == NULL)
            continue;
        if (histogram->octaves[i] == NULL)
            histogram->octaves[i] = must(calloc(HISTOGRAM_STEPS, sizeof(uint32_t)));
        for (unsigned k = 0; k < HISTOGRAM_STEPS; k++)
            histogram->octaves[i][k] += other->octaves[i][k];
    }
    if (histogram->count == 0 || other->least < histogram->least)
        histogram->least = other->least;
    if (other->most > histogram->most)
        histogram->most = other->most;
    histogram->count += other->count;
    histogram->sum += other->sum;
}

void histogram_remove(struct histogram* histogram, const struct histogram* other) {
    for (unsigned i = 0; i < HISTOGRAM_OCTAVES; i++)
        for (unsigned k = 0;
             histogram->octaves[i] != NULL && other->octaves[i] != NULL && k < HISTOGRAM_STEPS; k++)
            histogram->octaves[i][k] -= other->octaves[i][k];
    histogram->count -= other->count;
    histogram->sum -= other->sum;
}

uint64_t histogram_at(const struct histogram* histogram, double share) {
    uint64_t wanted = (uint64_t)(share * (double)histogram->count), seen = 0;
    if (wanted >= histogram->count)
        return histogram->most;
    for (unsigned i = 0; i < HISTOGRAM_OCTAVES; i++)
        for (unsigned k = 0; histogram->octaves[i] != NULL && k < HISTOGRAM_STEPS; k++) {
            seen += histogram->octaves[i][k];
            if (seen <= wanted)
                continue;
            uint64_t value = histogram_value(i, k);
            return value < histogram->least  ? histogram->least
                   : value > histogram->most ? histogram->most
                                             : value;
        }
    return histogram->most;
}

uint64_t histogram_up_to(const struct histogram* histogram, uint64_t value) {
    uint64_t count = 0;
    if (value >= histogram->most)
        return histogram->count;
    for (unsigned i = 0; i < HISTOGRAM_OCTAVES; i++)
        for (unsigned k = 0; histogram->octaves[i] != NULL && k < HISTOGRAM_STEPS; k++)
            if (histogram_value(i, k) <= value)
                count += histogram->octaves[i][k];
    return count;
}

void histogram_free(struct histogram* histogram) {
    for (unsigned i = 0; i < HISTOGRAM_OCTAVES; i++)
        free(histogram->octaves[i]);
    *histogram = (struct histogram){0};
}
