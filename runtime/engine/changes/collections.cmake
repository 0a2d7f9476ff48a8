# How much the heap may grow before cycles are searched again. A search begins when the heap has
# reached the threshold; if it found little, the next one comes later.
without("large heaps are searched for cycles more often")
replace("(rt->malloc_state.malloc_size >> 1);"
        "(rt->malloc_state.malloc_size / 8 * 9 < rt->malloc_gc_threshold
             ? rt->malloc_state.malloc_size / 2
             : rt->malloc_state.malloc_size * 2);")
