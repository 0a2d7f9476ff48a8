# Preloaded by `phasor trace` into programs that have libuv built in.
add_library(phasor_redirect SHARED preload/redirect.c)
target_compile_definitions(phasor_redirect PRIVATE _GNU_SOURCE)
target_link_libraries(phasor_redirect PRIVATE ${CMAKE_DL_LIBS})
set_target_properties(phasor_redirect PROPERTIES OUTPUT_NAME phasor-redirect
  C_VISIBILITY_PRESET hidden)
install(TARGETS phasor_redirect LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
