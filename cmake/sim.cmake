# The second build of the library: the same sources, with the world of src/sim behind the calls that
# src/sim/seam.txt names. The clock, the pool and the recorder's writer are the world's own.
option(PHASOR_SIM "Build the simulated world" ON)
if(NOT PHASOR_SIM OR PHASOR_SANITIZE) # a sanitizer must come before everything that is preloaded
  return()
endif()

file(GLOB sim_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/*/*.c)
list(REMOVE_ITEM sim_sources ${CMAKE_SOURCE_DIR}/src/os/clock.c
     ${CMAKE_SOURCE_DIR}/src/base/ticks.c
     ${CMAKE_SOURCE_DIR}/src/thread/pool.c ${CMAKE_SOURCE_DIR}/src/sim/outside.c
     ${CMAKE_SOURCE_DIR}/src/trace/writer.c ${CMAKE_SOURCE_DIR}/src/trace/account.c
     ${CMAKE_SOURCE_DIR}/src/trace/memory.c)
set(recorder_sources ${sim_sources})
list(FILTER recorder_sources INCLUDE REGEX "/src/trace/")
list(REMOVE_ITEM sim_sources ${recorder_sources})
file(STRINGS ${CMAKE_SOURCE_DIR}/src/sim/seam.txt seam)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/sim/seam.txt)

# The recorder is no part of the world: its calls do not count there; it sees the world's numbers.
add_library(uv_sim_recorder OBJECT ${recorder_sources})
target_include_directories(uv_sim_recorder PRIVATE include src)
set_target_properties(uv_sim_recorder PROPERTIES C_VISIBILITY_PRESET hidden
  POSITION_INDEPENDENT_CODE ON)
target_compile_definitions(uv_sim_recorder PRIVATE _GNU_SOURCE getpid=ph_recorder_pid
  getppid=ph_recorder_parent gettid=ph_recorder_tid sysconf=ph_recorder_sysconf
  clock_gettime=ph_recorder_clock)
foreach(call malloc calloc realloc free)
  target_compile_definitions(uv_sim_recorder PRIVATE ph_${call}=ph_recorder_${call})
endforeach()
foreach(call open read close pread pwrite pwritev ftruncate)
  target_compile_definitions(uv_sim_recorder PRIVATE ${call}=__real_${call})
endforeach()

add_library(uv_sim SHARED ${sim_sources} $<TARGET_OBJECTS:uv_sim_recorder>)
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
