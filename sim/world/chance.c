/* Chance: the n-th number of a row is a function of the seed, the row and n. */

#include "world/faults.h"
#include "world/world.h"

/* Two rounds of a multiply-and-fold hash: well spread, and the same everywhere. */
static uint64_t mix(uint64_t value) {
    value ^= value >> 32;
    value *= UINT64_C(0xd6e8feb86659fd93);
    value ^= value >> 32;
    value *= UINT64_C(0xd6e8feb86659fd93);
    value ^= value >> 32;
    return value;
}

static uint64_t draw_of(uint64_t seed, uint64_t row, uint64_t number) {
    uint64_t spread = mix(seed + UINT64_C(0x9e3779b97f4a7c15));
    return mix(mix(spread ^ row * UINT64_C(0xa0761d6478bd642f)) + number);
}

uint64_t ph_draw_of(uint64_t row, uint64_t number) {
    return draw_of(ph_world->chance_seed, row, number);
}

uint64_t ph_draw_of_world(uint64_t row, uint64_t number) {
    return draw_of(ph_world->settings.seed, row, number);
}

/* How much clocks differ stays: they would jump. */
static void take_kinds(uint32_t branch) {
    struct ph_settings* settings = &ph_world->settings;
    if (!ph_world->branches_have_kinds)
        return;
    for (int i = 0; i < PH_UNKINDS; i++)
        if (i != PH_UNKIND_SKEW)
            settings->unkind[i] = ph_world->branch_kinds[branch][i];
    settings->fault_rate[PH_FAULT_CALL] = ph_world->branch_call_rates[branch];
}

void ph_chance_branch(uint64_t step) {
    const struct ph_settings* settings = &ph_world->settings;
    while (ph_world->branch_next < settings->branch_count &&
           settings->branches[ph_world->branch_next].step <= step) {
        take_kinds(ph_world->branch_next);
        ph_world->chance_seed = settings->branches[ph_world->branch_next++].seed;
    }
}

uint64_t ph_draw(enum ph_chance chance) {
    uint64_t number = ph_world->draws[chance]++;
    return ph_draw_of((uint64_t)chance + 1, number);
}

uint64_t ph_draw_below(enum ph_chance chance, uint64_t limit) {
    uint64_t drawn = ph_draw(chance);
    return limit == 0 ? 0 : (uint64_t)(((unsigned __int128)drawn * limit) >> 64);
}

bool ph_draw_yes(enum ph_chance chance, double probability) {
    return (double)(ph_draw(chance) >> 11) * 0x1p-53 < probability;
}
