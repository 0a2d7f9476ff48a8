# Man pages and completions for shells, made of what the command itself prints as its help.
if(NOT TARGET phasor OR NOT PHASOR_RUNTIME OR NOT Python3_FOUND)
  return()
endif()

# A command of another processor is started by what emulates that.
set(command $<TARGET_FILE:phasor>)
if(CMAKE_CROSSCOMPILING)
  list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " emulator)
  set(command ${CMAKE_BINARY_DIR}/emulated-phasor)
  file(GENERATE OUTPUT ${command}
       CONTENT "#!/bin/sh\nexec ${emulator} $<TARGET_FILE:phasor> \"$@\"\n"
       FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endif()

# add_from_help(SCRIPT FOLDER FILE): FILE is one of those that scripts/SCRIPT writes into FOLDER.
function(add_from_help script folder file)
  add_custom_command(OUTPUT ${folder}/${file}
    COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0
            ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/scripts/${script} ${command} ${folder}
    DEPENDS phasor ${CMAKE_SOURCE_DIR}/scripts/${script} ${CMAKE_SOURCE_DIR}/scripts/helptext.py
    VERBATIM)
endfunction()

set(man_folder ${CMAKE_BINARY_DIR}/share/man/man1)
set(completions ${CMAKE_BINARY_DIR}/share/completions)
add_from_help(man.py ${man_folder} phasor.1)
add_from_help(completions.py ${completions} phasor.bash)
add_custom_target(man ALL DEPENDS ${man_folder}/phasor.1 ${completions}/phasor.bash)
install(DIRECTORY ${man_folder} DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${completions}/phasor.bash RENAME phasor
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${completions}/_phasor DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${completions}/phasor.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
