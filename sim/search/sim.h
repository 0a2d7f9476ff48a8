#ifndef PH_TOOLS_SIM_H
#define PH_TOOLS_SIM_H

/* One run of a world: what is asked for, and what came of it. */

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "world/world.h"

enum { SIM_HOSTS_MAX = 32, SIM_HAPPENINGS_MAX = 256, STATUS_USAGE = 2 };

#define SIM_USUAL_LIMIT (PH_S * 86400 * 100) /* of virtual time */

/* A program on a host of its own. */
struct sim_host {
    char name[PH_NAME_MAX];
    char** arguments;
    char** environment; /* NAME=VALUE, added to ours; may be NULL */
    const char* folder; /* may be NULL */
};

/* A way between two hosts, as the world's file describes it. */
struct sim_link {
    char from[PH_NAME_MAX];
    char to[PH_NAME_MAX];
    struct ph_link link;
};

struct sim_plan {
    struct ph_settings settings;
    struct sim_host hosts[SIM_HOSTS_MAX];
    unsigned host_count;
    struct sim_link links[SIM_HOSTS_MAX * 2];
    unsigned link_count;
    struct ph_happening happenings[SIM_HAPPENINGS_MAX];
    unsigned happening_count;
    uint64_t done;         /* bits of hosts: the world is over when all of them are; 0: all */
    const char* recording; /* file, or NULL */
    const char* page;      /* the same */
    char library[PATH_MAX];
    char preload[PATH_MAX]; /* its libuv.so.1, as the loader takes it */
    bool quiet;             /* the program's output goes nowhere */
    uint64_t real_limit;    /* ns; a run that takes longer is stuck */
    bool swarm;             /* the seed says how unkind the world is: see swarm.c, */
    uint32_t without;       /* but for these kinds, by bit; else the settings do */
};

struct sim_result {
    bool failed;
    bool stopped; /* where --until said */
    char why[320];
    char stuck[2048]; /* who waited for what when nothing could happen any more, a line each */
    char cause[160];  /* what the program said of it, or `why`; of a quiet run */
    int status;
    uint64_t virtual_time;
    uint64_t real_time;
    uint64_t steps;
    uint64_t faults;
    uint64_t delays;
    struct ph_delay delay[PH_PLAN_MAX]; /* those that happened */
    uint32_t delay_count;               /* 0: none, or too many to be told */
    uint64_t outside_time;
    char outside_why[64];
    double unkind[PH_UNKINDS];  /* how strong each kind was, */
    uint64_t fired[PH_UNKINDS]; /* and how often it came */
    struct ph_leak leaks[PH_LEAKS_MAX];
    struct ph_state states[PH_STATES_MAX];
    char never[512]; /* planned faults that did not happen, a sentence; may be empty */
    char* log;       /* to be freed */
    uint32_t* edges; /* when guided: the step each was taken at; to be freed; or NULL */
    /* For the page, to be freed. */
    struct ph_sight* sights;
    uint64_t sight_count;
    unsigned host_count;
    char hosts[PH_HOSTS_MAX][PH_NAME_MAX];
};

/* False: it could not even be started; `why` of the result says so. */
bool sim_run(const struct sim_plan* plan, struct sim_result* result);
void sim_result_free(struct sim_result* result);

/* Reads options that describe faults into the settings; false with a sentence on standard error. */
bool sim_parse_faults(const char* text, struct ph_settings* settings);
bool sim_parse_fault(const char* text, struct ph_settings* settings);
bool sim_read_time(const char* text, uint64_t* ns); /* says nothing */
bool sim_parse_time(const char* text, uint64_t* ns);
/* A time of the world: "2 h 3 min 4.005 s", "12.345 ms". */
void sim_print_when(FILE* out, uint64_t ns);
/* What happened in the world, a line each with its time, and who waited when nothing could happen.
 */
void sim_print_log(FILE* out, const struct sim_result* result, bool all);
bool sim_complain(const char* format, ...) __attribute__((format(printf, 1, 2)));

/* How unkind the world is. */
void sim_make_unkind(const struct sim_plan* plan, struct ph_settings* settings);
bool sim_parse_unkind(const char* text, struct sim_plan* plan);
bool sim_parse_without(const char* text, struct sim_plan* plan);
const char* sim_unkind_name(int kind);
void sim_print_unkind(FILE* out, const double unkind[PH_UNKINDS]);
void sim_print_fired(FILE* out, const uint64_t fired[PH_UNKINDS], uint64_t faults);

/* The world file; false with a sentence on standard error. */
bool sim_read_world(const char* file, struct sim_plan* plan);

/* A smaller plan that still fails; the result is that of its last failing run. */
void sim_shrink(struct sim_plan* plan, struct sim_result* result);

#endif
