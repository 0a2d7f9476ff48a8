# What an array has besides its elements: inspect and completion show that of large ones
# (runtime/bindings/util.c).
without("showing large arrays takes longer")
append_file(names.c)
