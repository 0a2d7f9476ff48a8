#ifndef PH_TOOLS_TRACE_MAP_H
#define PH_TOOLS_TRACE_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "read/memory.h"

/* Address to number, open addressing; 0 is free. */
struct map {
    struct {
        uint64_t key;
        uint32_t value;
    } * slots;
    size_t size;
    size_t used;
};

static inline size_t map_slot(const struct map* map, uint64_t key) {
    size_t at = (size_t)((key >> 3) * 0x9e3779b97f4a7c15u >> 20) & (map->size - 1);
    while (map->slots[at].key != 0 && map->slots[at].key != key)
        at = (at + 1) & (map->size - 1);
    return at;
}

static inline uint32_t map_get(const struct map* map, uint64_t key) {
    return map->size != 0 && key != 0 ? map->slots[map_slot(map, key)].value : 0;
}

static inline void map_put(struct map* map, uint64_t key, uint32_t value) {
    if (key == 0)
        return;
    if (map->used * 2 >= map->size) {
        struct map larger = {.size = map->size == 0 ? 64 : map->size * 2};
        larger.slots = must(calloc(larger.size, sizeof(*larger.slots)));
        for (size_t i = 0; i < map->size; i++)
            if (map->slots[i].key != 0) {
                size_t at = map_slot(&larger, map->slots[i].key);
                larger.slots[at].key = map->slots[i].key;
                larger.slots[at].value = map->slots[i].value;
                larger.used++;
            }
        free(map->slots);
        *map = larger;
    }
    size_t at = map_slot(map, key);
    map->used += map->slots[at].key == 0;
    map->slots[at].key = key;
    map->slots[at].value = value;
}

#endif
