/* Small blocks without detours: the size's class is read from a table, and what a block counts for
 * is known with its class. Whatever is not frequent (an arena begins or becomes empty) is
 * left to the engine's own functions. */

/* The class of a block with its header, by units of eight bytes. */
#define JS_ARENA_UNITS (JS_ARENA_MAX_SMALL_SIZE / JS_ARENA_ALIGN)
static const uint8_t js_arena_classes[JS_ARENA_UNITS + 1] = {
    0,  0,  0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 15, 16, 16, 17,
    17, 18, 18, 19, 19, 20, 20, 21, 21, 22, 22, 23, 23, 23, 23, 24, 24, 24, 24, 25, 25, 25,
    25, 26, 26, 26, 26, 27, 27, 27, 27, 28, 28, 28, 28, 29, 29, 29, 29, 30, 30, 30, 30,
};

/* A block of an arena that has room for it; NULL: it takes the long way. */
static inline void* js_arena_take(JSRuntime* rt, size_t size) {
    JSMallocState* s = &rt->malloc_state;
    struct list_head* head;
    JSMallocBlockHeader* block;
    JSArena* arena;
    unsigned int index, block_size;
    if (JS_ARENA_LARGE_BLOCKS_ONLY ||
        unlikely(size - 1 >= JS_ARENA_MAX_SMALL_SIZE - sizeof(JSMallocBlockHeader)))
        return NULL;
    if (unlikely(s->malloc_size + size > s->malloc_limit - 1))
        return NULL;
    index = js_arena_classes[(size + sizeof(*block) + JS_ARENA_ALIGN - 1) / JS_ARENA_ALIGN];
    head = &rt->arena_state.free_arena_list[index];
    arena = list_entry(head->next, JSArena, free_link);
    if (unlikely(head->next == head))
        return NULL;
    block_size = arena_block_sizes[index];
    index = arena->first_free_block;
    block = arena_get_block(arena, index, block_size);
    arena->first_free_block = block->u.free_next;
    if (unlikely(++arena->n_used_blocks == arena->n_blocks))
        list_del(&arena->free_link);
    block->u.block_idx = index;
    s->malloc_count++;
    s->malloc_size += block_size - sizeof(*block) + MALLOC_OVERHEAD;
    return block->user_data;
}

/* Whether the block went back to an arena that has other blocks in use. */
static inline bool js_arena_give(JSRuntime* rt, void* memory) {
    JSMallocState* s = &rt->malloc_state;
    JSMallocBlockHeader* block = container_of(memory, JSMallocBlockHeader, user_data);
    unsigned int index = block->u.block_idx, block_size;
    size_t counted;
    JSArena* arena;
    if (JS_ARENA_LARGE_BLOCKS_ONLY || unlikely(index == JS_ARENA_FREE_NIL))
        return false;
    block_size = arena_block_sizes[block->block_size_idx];
    arena = container_of((uint8_t*)block - (size_t)block_size * index, JSArena, blocks);
    counted = block_size - sizeof(*block) + MALLOC_OVERHEAD;
    if (unlikely(arena->n_used_blocks == 1 || counted > s->malloc_size))
        return false;
    block->u.free_next = arena->first_free_block;
    arena->first_free_block = index;
    if (unlikely(arena->n_used_blocks-- == arena->n_blocks))
        list_add(&arena->free_link, &rt->arena_state.free_arena_list[block->block_size_idx]);
    s->malloc_count--;
    s->malloc_size -= counted;
    return true;
}

/* Of each class one empty arena may stay, the last of those with room: else programs that make one
 * object and free it, again and again, would make and free an arena each time. */
static inline bool js_arena_stays(JSRuntime* rt, JSArena* arena) {
    struct list_head* head = &rt->arena_state.free_arena_list[arena->block_size_idx];
    struct list_head* last = head->prev;
    if (last != &arena->free_link && list_entry(last, JSArena, free_link)->n_used_blocks == 0)
        return false;
    list_del(&arena->free_link);
    list_add_tail(&arena->free_link, head);
    return true;
}
