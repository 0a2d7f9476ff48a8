/*
 * What a crash leaves of writes that were not synced, within what POSIX and ext4 allow: pages reach
 * the disk in any order or not at all, the one that was on its way is torn between two sectors, and
 * where a file has grown its new size may be there before its bytes, which then read as zeros.
 */

#include <string.h>

#include "world/journal.h"
#include "world/world.h"

enum { PAGE = 4096, SECTOR = 512 };

enum way {
    NOTHING,    /* has reached the disk */
    EVERYTHING, /* has, although nobody asked for it */
    BEGINNING,  /* of the file has */
    ANY_PAGES,  /* have */
    WAYS
};

/* Which parts have landed, decided once per crash and file. */
struct landing {
    enum way way;
    size_t torn_page;
    size_t torn_sector; /* of it, up to which it has landed */
    uint64_t row;       /* of chance, for single pages */
};

static bool has_landed(const struct landing* landing, size_t at) {
    size_t page = at / PAGE;
    if (landing->way <= EVERYTHING)
        return landing->way == EVERYTHING;
    if (page == landing->torn_page)
        return at % PAGE / SECTOR < landing->torn_sector;
    if (landing->way == BEGINNING)
        return page < landing->torn_page;
    return ph_draw_of(landing->row, page) % 2 == 0;
}

/* Where the file ends: behind all that has landed; what has not may still count. */
static size_t end_of(const struct landing* landing, size_t old_size, size_t new_size) {
    size_t end = old_size;
    if (landing->way == NOTHING || landing->way == EVERYTHING)
        return landing->way == NOTHING ? old_size : new_size;
    if (new_size <= old_size || ph_draw_below(PH_CHANCE_DISK, 3) == 0)
        return new_size;
    for (size_t at = old_size; at < new_size; at = (at / SECTOR + 1) * SECTOR)
        if (has_landed(landing, at))
            end = (at / SECTOR + 1) * SECTOR < new_size ? (at / SECTOR + 1) * SECTOR : new_size;
    return end;
}

size_t ph_torn(unsigned char* result, const unsigned char* old, size_t old_size,
               const unsigned char* new, size_t new_size) {
    size_t pages = (old_size > new_size ? old_size : new_size) / PAGE + 1;
    struct landing landing = {.way = (enum way)ph_draw_below(PH_CHANCE_DISK, WAYS),
                              .torn_page = ph_draw_below(PH_CHANCE_DISK, pages),
                              .torn_sector = ph_draw_below(PH_CHANCE_DISK, PAGE / SECTOR + 1),
                              .row = ph_draw(PH_CHANCE_DISK) | UINT64_C(1) << 40};
    size_t end = end_of(&landing, old_size, new_size);
    for (size_t at = 0; at < end; at += SECTOR) {
        bool landed = has_landed(&landing, at);
        const unsigned char* from = landed ? new : old;
        size_t there = landed ? new_size : old_size;
        size_t size = end - at < SECTOR ? end - at : SECTOR;
        size_t some = at >= there ? 0 : there - at < size ? there - at : size;
        memset(result + at, 0, size);
        if (some > 0)
            memcpy(result + at, from + at, some);
    }
    return end;
}
