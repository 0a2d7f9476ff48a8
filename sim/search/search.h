#ifndef PH_TOOLS_SIM_SEARCH_H
#define PH_TOOLS_SIM_SEARCH_H

/* Many seeds, several at a time, until one fails. */

#include <stdio.h>

#include "search/sim.h"

struct sim_search {
    uint64_t seeds;
    uint64_t jobs;
    bool no_shrink;
    bool real_limit_given;
    uint64_t time;      /* real ns that it may take; 0: no limit */
    bool keep_going;    /* several failures are collected */
    bool guided;        /* by what programs tell of where they were: see guide.h */
    const char* corpus; /* file, or NULL */
    bool seed_given;
    char** command; /* as it was typed, for the command that repeats a failure */
    int command_options;
};

int sim_search(struct sim_plan* plan, const struct sim_search* search, bool json);
/* The command that makes this very world again, to be freed. */
char* sim_command(const struct sim_search* search, const struct sim_plan* plan);
void sim_print_json(FILE* out, const struct sim_search* search, const struct sim_plan* plan,
                    const struct sim_result* result, uint64_t tried);
/* The program to start for these words: our runtime for a script. */
char** sim_program(char** arguments);

#endif
