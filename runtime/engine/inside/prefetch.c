/* Fetches what freeing the block will need into the caches. */
void js_prefetch_block(const void* block) {
    const JSMallocBlockHeader* b = container_of(block, JSMallocBlockHeader, user_data);
    if (b->u.block_idx != JS_ARENA_FREE_NIL)
        __builtin_prefetch((const uint8_t*)b - sizeof(JSArena) -
                           (size_t)arena_block_sizes[b->block_size_idx] * b->u.block_idx);
}

/* The same for what a call of the function will need, and its end. */
void js_prefetch_function(const void* function) {
    const JSObject* p = function;
    js_prefetch_block(p);
    __builtin_prefetch(p->prop);
    if (p->class_id == JS_CLASS_BYTECODE_FUNCTION)
        __builtin_prefetch(p->u.func.var_refs);
}
