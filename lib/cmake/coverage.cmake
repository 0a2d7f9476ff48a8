# What the tests take of the library: scripts/coverage.sh. The hooks of the recorder are left out as
# the recorder is, and no function is inlined: a branch is to be counted once.
option(PHASOR_COVERAGE "Count which lines and branches of the library are taken" OFF)
if(NOT PHASOR_COVERAGE)
  return()
endif()

target_sources(uv_objects PRIVATE ${PROJECT_SOURCE_DIR}/tests/coverage/flush.c)
target_compile_options(uv_objects PRIVATE -O0 -g --coverage -fprofile-update=atomic
                       -fno-builtin-fork)
target_compile_definitions(uv_objects PRIVATE PH_WITHOUT_HOOKS PH_COVERAGE
                           always_inline=unused)
target_compile_definitions(uv_a INTERFACE PH_WITHOUT_HOOKS) # and tests of them are skipped
foreach(library uv uv_a)
  target_link_options(${library} PUBLIC --coverage)
endforeach()
