# Man pages, made of what the command itself prints as its help.
if(NOT TARGET phasor OR NOT PHASOR_RUNTIME OR NOT Python3_FOUND)
  return()
endif()

set(man_folder ${CMAKE_BINARY_DIR}/share/man/man1)
add_custom_command(OUTPUT ${man_folder}/phasor.1
  COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0
          ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/scripts/man.py $<TARGET_FILE:phasor>
          ${man_folder}
  DEPENDS phasor ${CMAKE_SOURCE_DIR}/scripts/man.py VERBATIM)
add_custom_target(man ALL DEPENDS ${man_folder}/phasor.1)
install(DIRECTORY ${man_folder} DESTINATION ${CMAKE_INSTALL_MANDIR})
