# Whether nobody but the asker has an object: a waiting timeout then gives it up
# (runtime/engine/timers.c).
without("waiting timeouts take more memory")
append_file(forgotten.c)
