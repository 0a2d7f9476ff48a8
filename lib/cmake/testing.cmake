# Functions for tests of all products.

# A script with a line "# alone" measures time and wants the machine for itself.
function(mark_alone test file)
  file(STRINGS ${file} alone REGEX "^# alone$")
  if(alone)
    set_tests_properties(${test} PROPERTIES RUN_SERIAL ON)
  endif()
endfunction()

# add_script_tests(PREFIX FOLDER): each FOLDER/*.sh is one test and gets the build folder.
function(add_script_tests prefix folder)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.sh)
  foreach(file ${files})
    get_filename_component(name ${file} NAME_WE)
    add_test(NAME ${prefix}.${name} COMMAND bash ${file} ${CMAKE_BINARY_DIR}
             WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties(${prefix}.${name} PROPERTIES LABELS ${prefix} TIMEOUT 900
                         SKIP_RETURN_CODE 77)
    mark_alone(${prefix}.${name} ${file})
  endforeach()
endfunction()
