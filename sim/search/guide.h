#ifndef PH_TOOLS_SIM_GUIDE_H
#define PH_TOOLS_SIM_GUIDE_H

/*
 * A guided search: programs tell which edges they took (statements of JavaScript in our runtime,
 * -fsanitize-coverage in C, states that a test has named), and a world that took one for the first
 * time is varied: it begins as it did, and from a step after that on chance is that of another
 * seed.
 */

#include <stdbool.h>
#include <stdint.h>

#include "search/sim.h"

enum { GUIDE_WORLDS = 4096 };

/* What makes a world, beside the settings that all of a search have. */
struct sim_start {
    uint64_t seed;
    uint32_t branch_count;
    struct ph_branch branches[PH_BRANCHES_MAX];
};

/* Shared by the workers of a search, under its lock. */
struct guide {
    uint32_t hits[PH_EDGES]; /* how many worlds took an edge */
    uint64_t edges;          /* that were ever taken */
    uint64_t next;           /* number of the world to make */
    uint64_t fresh;          /* the next seed that was not tried */
    uint32_t count;
    struct {
        struct sim_start start;
        uint64_t steps;
        uint64_t varied; /* so many times */
        uint32_t rarest; /* of its edges, */
        uint32_t taken;  /* and at which step that was */
    } worlds[GUIDE_WORLDS];
};

/* The next world: one of a fresh seed, or one that was of use, varied. */
void guide_choose(struct guide* guide, struct sim_start* start);
/* What came of it. */
void guide_learn(struct guide* guide, const struct sim_start* start,
                 const struct sim_result* result);
void sim_start_set(const struct sim_start* start, struct sim_plan* plan);
/* "120:9931,340:12"; says nothing. */
bool sim_read_branches(const char* text, struct ph_settings* settings);
void sim_print_branches(FILE* out, const struct ph_branch* branches, uint32_t count);

#endif
