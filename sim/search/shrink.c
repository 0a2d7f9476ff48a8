/*
 * Making a failing world smaller: first the faults that really happened are planned one by one and
 * taken away in halves, quarters, ... as long as the world still fails; then the same with delays.
 */

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/sim.h"

enum { MOST_RUNS = 400 };

static unsigned runs;

static bool still_fails(const struct sim_plan* plan, const char* why) {
    struct sim_result result;
    if (runs++ >= MOST_RUNS || !sim_run(plan, &result))
        return false;
    bool same = result.failed && strcmp(result.why, why) == 0;
    sim_result_free(&result);
    return same;
}

/* The faults of a run, from its log. */
static void plan_what_happened(struct ph_settings* settings, const char* log) {
    settings->planned_count = 0;
    for (const char* line = log; line != NULL && *line != '\0';) {
        char fault[160];
        const char* end = strchr(line, '\n');
        if (sscanf(line, "%*u fault %159[^\n]", fault) == 1)
            sim_parse_fault(fault, settings);
        line = end != NULL ? end + 1 : NULL;
    }
    settings->only_planned = true;
}

/* Takes away `size` elements at `at` of an array of `count`; returns the new count. */
static uint32_t cut(void* array, size_t element, uint32_t count, uint32_t at, uint32_t size) {
    char* bytes = array;
    memmove(bytes + at * element, bytes + (at + size) * element, (count - at - size) * element);
    return count - size;
}

/* Halves; single ones are tried again as long as one of them could be taken away. */
static uint32_t next_size(uint32_t size, uint32_t* before, uint32_t count) {
    bool again = size == 1 && count < *before;
    *before = count;
    return again ? 1 : size / 2;
}

/* A list of the settings: where it stands, its elements' size, and where its length stands. */
struct list {
    size_t place;
    size_t element;
    size_t count;
};

static const struct list faults = {offsetof(struct sim_plan, settings.planned),
                                   sizeof(struct ph_planned),
                                   offsetof(struct sim_plan, settings.planned_count)};
static const struct list delays = {offsetof(struct sim_plan, settings.kept_delays),
                                   sizeof(struct ph_delay),
                                   offsetof(struct sim_plan, settings.kept_count)};

static uint32_t* count_of(struct sim_plan* plan, const struct list* list) {
    return (uint32_t*)(void*)((char*)plan + list->count);
}

static void shrink(struct sim_plan* plan, const struct list* list, const char* why) {
    uint32_t* count = count_of(plan, list);
    uint32_t before = *count;
    for (uint32_t size = (before + 1) / 2; size > 0; size = next_size(size, &before, *count))
        for (uint32_t at = 0; at < *count;) {
            struct sim_plan* tried = malloc(sizeof(*tried));
            if (tried == NULL)
                return;
            *tried = *plan;
            uint32_t some = *count - at < size ? *count - at : size;
            *count_of(tried, list) =
                cut((char*)tried + list->place, list->element, *count, at, some);
            if (still_fails(tried, why))
                *plan = *tried;
            else
                at += some;
            free(tried);
        }
}

/* Kinds of unkindness that are not needed are left out, the others as strong as they were. */
static void shrink_kinds(struct sim_plan* plan, const struct sim_result* result) {
    static struct sim_plan tried;
    tried = *plan;
    tried.swarm = false;
    memcpy(tried.settings.unkind, result->unkind, sizeof(result->unkind));
    if (!still_fails(&tried, result->why))
        return;
    *plan = tried;
    for (int i = 0; i < PH_UNKINDS; i++) {
        if (plan->settings.unkind[i] == 0)
            continue;
        tried = *plan;
        tried.settings.unkind[i] = 0;
        if (still_fails(&tried, result->why))
            *plan = tried;
    }
}

void sim_shrink(struct sim_plan* plan, struct sim_result* result) {
    static struct sim_plan tried;
    runs = 0;
    shrink_kinds(plan, result);
    tried = *plan;
    plan_what_happened(&tried.settings, result->log);
    if (still_fails(&tried, result->why)) {
        *plan = tried;
        shrink(plan, &faults, result->why);
    }
    if (result->delay_count == 0)
        return;
    tried = *plan;
    tried.settings.mask_delays = true;
    tried.settings.kept_count = result->delay_count;
    memcpy(tried.settings.kept_delays, result->delay, sizeof(result->delay));
    if (still_fails(&tried, result->why)) {
        *plan = tried;
        shrink(plan, &delays, result->why);
    }
}
