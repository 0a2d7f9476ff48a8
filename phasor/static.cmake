# The command as one file (PHASOR_STATIC): what are libraries of their own otherwise is linked in,
# each as one object that keeps its names for itself, as a shared library does.
function(put_inside target)
  set(object ${CMAKE_BINARY_DIR}/inside/${target}.o)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/inside)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_LINKER} -r -o ${object} $<TARGET_OBJECTS:${target}>
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden --remove-section=.gnu.lto_* -N __gnu_lto_v1 ${object}
    DEPENDS ${target} $<TARGET_OBJECTS:${target}> COMMAND_EXPAND_LISTS VERBATIM)
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_sources(phasor PRIVATE ${object})
endfunction()

target_link_options(phasor PRIVATE -static)
if(TARGET phasor_runtime)
  put_inside(uv_objects)
  put_inside(phasor_recorder_objects)
  foreach(name ${PHASOR_PLUGINS})
    put_inside(plugin_${name})
  endforeach()
endif()
