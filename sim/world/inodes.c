/* The numbers of files and devices, which are others in every run: in the order in which the world
 * has seen them. A file that is made anew gets a new one, whichever the disk has given it. */

#include <stdlib.h>

#include "world/times.h"
#include "world/world.h"

enum { FIRST_NUMBER = 1000, DEVICE = 0x801 };

struct ph_inode {
    struct ph_inode* next;
    uint64_t device;
    uint64_t real;
    uint64_t seen;
};

static struct ph_inode** place_of(uint64_t device, uint64_t inode) {
    uint64_t mixed = (inode ^ device << 48) * UINT64_C(0x9e3779b97f4a7c15);
    return &ph_world->inodes[mixed >> 32 & (PH_INODES - 1)];
}

static struct ph_inode* find(uint64_t device, uint64_t inode) {
    struct ph_inode* found = *place_of(device, inode);
    while (found != NULL && (found->real != inode || found->device != device))
        found = found->next;
    return found;
}

static struct ph_inode* add(uint64_t device, uint64_t inode) {
    struct ph_inode* made = ph_world_alloc(sizeof(*made));
    if (made == NULL)
        return NULL;
    struct ph_inode** place = place_of(device, inode);
    *made = (struct ph_inode){.next = *place, .device = device, .real = inode};
    made->seen = FIRST_NUMBER + ph_world->inode_count++;
    *place = made;
    return made;
}

uint64_t ph_inode_seen(uint64_t device, uint64_t inode) {
    if (inode == 0)
        return 0;
    struct ph_inode* found = find(device, inode);
    if (found == NULL && ph_thread_counts())
        found = add(device, inode);
    return found != NULL ? found->seen : inode;
}

uint64_t ph_device_seen(uint64_t device) {
    return device == 0 ? 0 : DEVICE;
}

void ph_inode_made(uint64_t device, uint64_t inode) {
    struct ph_inode* found = find(device, inode);
    if (found != NULL)
        found->seen = FIRST_NUMBER + ph_world->inode_count++;
}
