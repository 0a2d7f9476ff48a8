#include "search/guide.h"

#include <stdlib.h>
#include <string.h>

enum {
    FRESH_OF_TEN = 5, /* so many worlds of ten have a seed of their own */
    CANDIDATES = 6,
    LONGEST =
        8,   /* binary digits of the steps from where a world was of use to where it is varied */
    SOME = 3 /* worlds with the same edge */
};

static uint64_t mix(uint64_t value) {
    value = (value ^ value >> 31) * UINT64_C(0x9fb21c651e98df25);
    value = (value ^ value >> 29) * UINT64_C(0xd6e8feb86659fd93);
    return value ^ value >> 32;
}

/* Worlds that have what few have, and that were varied less, come first: the best of some. */
static uint32_t choose_world(const struct guide* guide, uint64_t drawn) {
    uint32_t best = (uint32_t)(drawn % guide->count);
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < CANDIDATES; i++) {
        drawn = mix(drawn + 1);
        uint32_t which = (uint32_t)(drawn % guide->count);
        uint64_t cost = guide->hits[guide->worlds[which].rarest] + guide->worlds[which].varied;
        if (cost < least) {
            least = cost;
            best = which;
        }
    }
    return best;
}

/* What it has reached stays; soon after that it goes another way. */
static void vary(struct sim_start* start, uint64_t taken, uint64_t steps, uint64_t drawn) {
    uint64_t rest = steps > taken ? steps - taken : 0;
    uint64_t most = UINT64_C(2) << mix(drawn + 2) % LONGEST;
    uint64_t step = taken + 1 + mix(drawn) % (most < rest ? most : rest + 1);
    uint32_t kept = 0;
    while (kept < start->branch_count && start->branches[kept].step < step)
        kept++;
    if (kept == PH_BRANCHES_MAX)
        kept--;
    start->branches[kept] = (struct ph_branch){.step = step, .seed = mix(drawn + 1) % 1000000000};
    start->branch_count = kept + 1;
}

void guide_choose(struct guide* guide, struct sim_start* start) {
    uint64_t drawn = mix(guide->next++ + UINT64_C(0x51a7e));
    memset(start, 0, sizeof(*start));
    if (guide->count == 0 || drawn % 10 < FRESH_OF_TEN) {
        start->seed = guide->fresh++;
        return;
    }
    uint32_t which = choose_world(guide, mix(drawn + 2));
    *start = guide->worlds[which].start;
    vary(start, guide->worlds[which].taken, guide->worlds[which].steps, mix(drawn + 3));
    guide->worlds[which].varied++;
}

void guide_learn(struct guide* guide, const struct sim_start* start,
                 const struct sim_result* result) {
    uint32_t rarest = PH_EDGES;
    for (uint32_t i = 0; i < PH_EDGES; i++) {
        if (result->edges[i] == 0)
            continue;
        guide->edges += guide->hits[i] == 0;
        guide->hits[i]++;
        bool rarer = rarest == PH_EDGES || guide->hits[i] < guide->hits[rarest];
        bool later = !rarer && guide->hits[i] == guide->hits[rarest] &&
                     result->edges[i] > result->edges[rarest];
        if (guide->hits[i] <= SOME && (rarer || later))
            rarest = i;
    }
    if (rarest == PH_EDGES || guide->count == GUIDE_WORLDS)
        return;
    guide->worlds[guide->count].start = *start;
    guide->worlds[guide->count].steps = result->steps;
    guide->worlds[guide->count].varied = 0;
    guide->worlds[guide->count].rarest = rarest;
    guide->worlds[guide->count].taken = result->edges[rarest];
    guide->count++;
}

void sim_start_set(const struct sim_start* start, struct sim_plan* plan) {
    plan->settings.seed = start->seed;
    plan->settings.branch_count = start->branch_count;
    memcpy(plan->settings.branches, start->branches, sizeof(start->branches));
}

bool sim_read_branches(const char* text, struct ph_settings* settings) {
    settings->branch_count = 0;
    while (*text != '\0') {
        unsigned long long step, seed;
        int length = 0;
        uint32_t count = settings->branch_count;
        if (*text == '-' || sscanf(text, "%llu:%llu%n", &step, &seed, &length) != 2 ||
            (text[length] != ',' && text[length] != '\0') || count == PH_BRANCHES_MAX ||
            (count > 0 && step <= settings->branches[count - 1].step))
            return false;
        settings->branches[count] = (struct ph_branch){.step = step, .seed = seed};
        settings->branch_count++;
        text += length + (text[length] == ',');
    }
    return settings->branch_count > 0;
}

void sim_print_branches(FILE* out, const struct ph_branch* branches, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        fprintf(out, "%s%llu:%llu", i > 0 ? "," : "", (unsigned long long)branches[i].step,
                (unsigned long long)branches[i].seed);
}
