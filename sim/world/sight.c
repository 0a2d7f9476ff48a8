#include "world/sight.h"

#include <string.h>

#include "world/world.h"

static struct ph_sight* next(enum ph_sight_kind kind, int from, int to) {
    if (ph_world->sights == NULL)
        return NULL;
    struct ph_sight* sight = &ph_world->sights[ph_world->sight_count++ % PH_SIGHTS_MAX];
    *sight = (struct ph_sight){.begins = ph_world->now,
                               .ends = ph_world->now,
                               .step = ph_world->steps,
                               .kind = (int8_t)kind,
                               .from = (int8_t)from,
                               .to = (int8_t)to};
    return sight;
}

void ph_see(enum ph_sight_kind kind, int from, int to, uint64_t begins, size_t size) {
    struct ph_sight* sight = next(kind, from, to);
    if (sight == NULL)
        return;
    sight->begins = begins;
    sight->size = (uint32_t)size;
}

void ph_see_text(enum ph_sight_kind kind, int host, const char* text, size_t size) {
    struct ph_sight* sight = next(kind, host, host);
    if (sight == NULL)
        return;
    sight->size = (uint32_t)size;
    memcpy(sight->text, text, size < PH_SIGHT_TEXT ? size : PH_SIGHT_TEXT);
}
