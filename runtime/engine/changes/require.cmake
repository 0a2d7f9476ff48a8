# require() of an ES module (runtime/engine/modules.c).
without("an ES module can be imported, but not required")
append_file(require.c)
