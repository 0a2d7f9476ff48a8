# Timeouts that have waited among many others have left the caches (runtime/engine/timers.c).
without("many timeouts due at once take longer")
append_file(prefetch.c)
