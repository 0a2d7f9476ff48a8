#include "report/compare.h"

#include <math.h>
#include <stdbool.h>

#define SURE 0.002       /* the chance that is still taken for a difference */
#define NOTICEABLE 0.05  /* a change that somebody would care for */
#define NOTICEABLE_NS 50 /* and that is more than caches and clocks make up */
#define LIKE_PAIRS 0.85  /* the share of the pairs of runs that have to agree */
#define RESOLUTION 0.005 /* of a median, which comes from a histogram: no spread is smaller */

/* Times are compared by their ratios: a run that is unlucky is so by a factor. */
static double log_of(uint64_t ns) {
    return log((double)(ns > 0 ? ns : 1));
}

static double mean_of(const struct runs* runs) {
    double sum = 0;
    for (size_t i = 0; i < runs->count; i++)
        sum += log_of(runs->medians[i]);
    return sum / (double)runs->count;
}

/* The variance of the mean. */
static double spread_of(const struct runs* runs, double mean) {
    double sum = 0;
    for (size_t i = 0; i < runs->count; i++) {
        double distance = log_of(runs->medians[i]) - mean;
        sum += distance * distance;
    }
    double variance = sum / (double)(runs->count - 1);
    return fmax(variance, RESOLUTION * RESOLUTION) / (double)runs->count;
}

static double share_larger(const struct runs* before, const struct runs* after) {
    double larger = 0;
    for (size_t i = 0; i < before->count; i++)
        for (size_t k = 0; k < after->count; k++) {
            uint64_t x = before->medians[i], y = after->medians[k];
            larger += y > x ? 1 : y == x ? 0.5 : 0;
        }
    return larger / (double)before->count / (double)after->count;
}

/*
 * The area of Student's density beyond `t`, on both sides. With t = sqrt(degrees) * tan(angle) it
 * is the integral of cos(angle)^(degrees - 1), which is smooth: Simpson's rule on both parts.
 */
static double integral(double degrees, double from, double to) {
    enum { STEPS = 2000 };
    double step = (to - from) / STEPS, sum = 0;
    for (int i = 0; i <= STEPS; i++) {
        double weight = i == 0 || i == STEPS ? 1 : i % 2 != 0 ? 4 : 2;
        sum += weight * pow(fmax(cos(from + i * step), 0), degrees - 1);
    }
    return sum * step / 3;
}

static double chance_of(double t, double degrees) {
    double angle = atan(fabs(t) / sqrt(degrees));
    double beyond = integral(degrees, angle, M_PI_2), within = integral(degrees, 0, angle);
    return beyond / (beyond + within);
}

/* Welch's test: the sides may be unequally spread. */
static double chance_of_equality(const struct runs* before, const struct runs* after, double from,
                                 double to) {
    double x = spread_of(before, from), y = spread_of(after, to), both = x + y;
    double degrees =
        both * both / (x * x / (double)(before->count - 1) + y * y / (double)(after->count - 1));
    return chance_of((to - from) / sqrt(both), degrees);
}

struct comparison compare_runs(const struct runs* before, const struct runs* after, size_t tests) {
    struct comparison result = {.verdict = VERDICT_FEW, .chance = 1, .larger = 0.5};
    if (before->count == 0 || after->count == 0)
        return result;
    double from = mean_of(before), to = mean_of(after);
    result.larger = share_larger(before, after);
    result.change = exp(to - from) - 1;
    if (before->count < COMPARE_FEWEST || after->count < COMPARE_FEWEST)
        return result;
    result.chance = fmin(1, chance_of_equality(before, after, from, to) * (double)tests);
    bool noticeable =
        fabs(to - from) > log(1 + NOTICEABLE) && fabs(exp(to) - exp(from)) > NOTICEABLE_NS;
    bool agree = to > from ? result.larger >= LIKE_PAIRS : result.larger <= 1 - LIKE_PAIRS;
    result.verdict = result.chance > SURE || !noticeable || !agree ? VERDICT_SAME
                     : to > from                                   ? VERDICT_SLOWER
                                                                   : VERDICT_FASTER;
    return result;
}
