# The stack while a script runs, for a recording (runtime/engine/stacks.c).
without("recordings do not name the JavaScript functions that take long")
append_file(frames.c)
