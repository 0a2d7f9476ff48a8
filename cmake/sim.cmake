# The second build of the library: the same sources, with the world of src/sim behind the calls that
# src/sim/seam.txt names. The clock and the pool are the world's own.
option(PHASOR_SIM "Build the simulated world" ON)
if(NOT PHASOR_SIM OR PHASOR_SANITIZE) # a sanitizer must come before everything that is preloaded
  return()
endif()

file(GLOB sim_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/*/*.c)
list(REMOVE_ITEM sim_sources ${CMAKE_SOURCE_DIR}/src/os/clock.c
     ${CMAKE_SOURCE_DIR}/src/thread/pool.c ${CMAKE_SOURCE_DIR}/src/sim/outside.c)
file(STRINGS ${CMAKE_SOURCE_DIR}/src/sim/seam.txt seam)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/sim/seam.txt)

add_library(uv_sim SHARED ${sim_sources})
target_include_directories(uv_sim PRIVATE include src)
target_compile_definitions(uv_sim PRIVATE _GNU_SOURCE)
set_target_properties(uv_sim PROPERTIES OUTPUT_NAME uv VERSION 1.0.0 SOVERSION 1
  C_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/phasor/sim)
target_link_libraries(uv_sim PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
target_link_options(uv_sim PRIVATE LINKER:-z,defs) # what a replaced file had is not forgotten
foreach(call ${seam})
  target_link_options(uv_sim PRIVATE "LINKER:--wrap=${call}")
endforeach()
install(TARGETS uv_sim LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/phasor/sim)
