/* Chance: the n-th number of a row is a function of the seed, the row and n. */

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

static uint64_t seed(void) {
    return mix(ph_world->settings.seed + UINT64_C(0x9e3779b97f4a7c15));
}

uint64_t ph_draw_of(uint64_t row, uint64_t number) {
    return mix(mix(seed() ^ row * UINT64_C(0xa0761d6478bd642f)) + number);
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
