#include "report/compare.h"

#include <math.h>

enum { FEWEST = 8 };

#define SURE 0.01       /* the chance that is still taken for a difference */
#define NOTICEABLE 0.03 /* a change of the median that somebody would care for */

static uint32_t count_at(const struct histogram* histogram, unsigned octave, unsigned step) {
    return histogram->octaves[octave] != NULL ? histogram->octaves[octave][step] : 0;
}

/* How often one of b is longer than one of a, ties counting half; and the sum of t³ - t over ties.
 */
static double count_larger(const struct histogram* a, const struct histogram* b, double* ties) {
    double below = 0, larger = 0;
    *ties = 0;
    for (unsigned i = 0; i < HISTOGRAM_OCTAVES; i++) {
        if (a->octaves[i] == NULL && b->octaves[i] == NULL)
            continue;
        for (unsigned k = 0; k < HISTOGRAM_STEPS; k++) {
            double of_a = count_at(a, i, k), of_b = count_at(b, i, k), both = of_a + of_b;
            larger += of_b * (below + of_a / 2);
            below += of_a;
            *ties += both * both * both - both;
        }
    }
    return larger;
}

struct comparison compare_times(const struct histogram* a, const struct histogram* b,
                                size_t tests) {
    struct comparison result = {.verdict = VERDICT_FEW, .chance = 1, .larger = 0.5};
    double of_a = (double)a->count, of_b = (double)b->count, all = of_a + of_b, ties;
    if (a->count < FEWEST || b->count < FEWEST)
        return result;
    double larger = count_larger(a, b, &ties);
    double variance = of_a * of_b / 12 * (all + 1 - ties / (all * (all - 1)));
    double distance = larger - of_a * of_b / 2;
    double before = (double)histogram_at(a, 0.5), after = (double)histogram_at(b, 0.5);
    result.larger = larger / (of_a * of_b);
    if (variance > 0)
        result.chance = erfc(fabs(distance) / sqrt(2 * variance)) * (double)tests;
    if (result.chance > 1)
        result.chance = 1;
    bool noticeable = fabs(after - before) > NOTICEABLE * (before > 1 ? before : 1);
    result.verdict = result.chance > SURE || !noticeable || (after > before) != (distance > 0)
                         ? VERDICT_SAME
                     : after > before ? VERDICT_SLOWER
                                      : VERDICT_FASTER;
    return result;
}
