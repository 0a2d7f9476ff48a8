# What lies in the heap, and what holds what (runtime/bindings/heap.c).
without("there are no heap snapshots and no v8.queryObjects")
append_file(heap.c)
