# Plug-ins of the runtime: runtime/plugins/NAME/*.c becomes lib/phasor/NAME.so, which the command
# loads when a built-in module asks for it (runtime/engine/plugins.h).
find_package(PkgConfig)
set(PHASOR_PLUGINS "") # those that are built

# What plug-ins may call of the program, and nothing else, is in its table of symbols.
function(export_to_plugins target)
  set(list ${CMAKE_SOURCE_DIR}/runtime/plugins/exports.txt)
  target_link_options(${target} PRIVATE LINKER:--dynamic-list=${list})
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${list})
endfunction()

# A command that loads nothing has those inside that need no other library, each with an entry of
# its own name. Addons (napi) are loaded in any case.
function(add_plugin_inside name)
  if(ARGN OR name STREQUAL "napi")
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/runtime/plugins/${name}/*.c)
  add_library(plugin_${name} OBJECT ${sources})
  target_include_directories(plugin_${name} PRIVATE ${CMAKE_SOURCE_DIR}/runtime
                             ${CMAKE_SOURCE_DIR}/lib/include)
  target_include_directories(plugin_${name} SYSTEM PRIVATE
    $<TARGET_PROPERTY:quickjs,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(plugin_${name} PRIVATE _GNU_SOURCE
                             phasor_plugin=phasor_plugin_${name})
  set_target_properties(plugin_${name} PROPERTIES C_VISIBILITY_PRESET hidden)
  set(PHASOR_PLUGINS ${PHASOR_PLUGINS} ${name} PARENT_SCOPE)
endfunction()

# add_plugin(NAME MODULE...): on libraries that pkg-config knows; without one of them it is left
# out, and what needs it says so when it is used. Without a MODULE, it needs none.
function(add_plugin name)
  if(PHASOR_STATIC)
    add_plugin_inside(${name} ${ARGN})
    set(PHASOR_PLUGINS ${PHASOR_PLUGINS} PARENT_SCOPE)
    return()
  endif()
  if(NOT ARGN)
    set(plugin_${name}_FOUND TRUE)
  elseif(PkgConfig_FOUND)
    pkg_check_modules(plugin_${name} QUIET IMPORTED_TARGET ${ARGN})
  endif()
  if(NOT plugin_${name}_FOUND)
    message(NOTICE "Phasor: without ${name} in the runtime, one of these is not there: ${ARGN}")
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/runtime/plugins/${name}/*.c)
  add_library(plugin_${name} MODULE ${sources})
  target_include_directories(plugin_${name} PRIVATE ${CMAKE_SOURCE_DIR}/runtime
                             ${CMAKE_SOURCE_DIR}/lib/include)
  target_include_directories(plugin_${name} SYSTEM PRIVATE
    $<TARGET_PROPERTY:quickjs,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(plugin_${name} PRIVATE _GNU_SOURCE)
  set_target_properties(plugin_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
    C_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/phasor)
  if(ARGN)
    target_link_libraries(plugin_${name} PRIVATE PkgConfig::plugin_${name})
  endif()
  add_dependencies(phasor_runtime plugin_${name})
  install(TARGETS plugin_${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/phasor)
  set(PHASOR_PLUGINS ${PHASOR_PLUGINS} ${name} PARENT_SCOPE)
  set(plugin_${name}_VERSION ${plugin_${name}_VERSION} PARENT_SCOPE)
endfunction()

add_plugin(crypto "libcrypto>=3")
if(crypto IN_LIST PHASOR_PLUGINS)
  target_compile_definitions(phasor_runtime PUBLIC
      PHASOR_OPENSSL_VERSION="${plugin_crypto_VERSION}")
endif()
add_plugin(tls "libssl>=3")
if(tls IN_LIST PHASOR_PLUGINS)
  target_sources(plugin_tls PRIVATE ${CMAKE_SOURCE_DIR}/runtime/plugins/crypto/names.c)
endif()
add_plugin(http2 "libnghttp2")
add_plugin(ares "libcares")
add_plugin(inspector)
add_plugin(napi)
add_plugin(brotli "libbrotlienc" "libbrotlidec")
add_plugin(zstd "libzstd")
add_plugin(sqlite "sqlite3")
add_plugin(icu "icu-uc")
add_plugin(intl "icu-i18n" "icu-uc")
add_plugin(wasm)
# A product and a sum are two roundings; what is reached by computed jumps is not merged again.
target_compile_options(plugin_wasm PRIVATE -O2 -ffp-contract=off -fno-gcse)
target_link_libraries(plugin_wasm PRIVATE m ${atomic_library})
if(PHASOR_STATIC)
  list(TRANSFORM PHASOR_PLUGINS REPLACE "(.+)" "INSIDE(\\1)" OUTPUT_VARIABLE inside)
  list(JOIN inside " " inside)
  target_compile_definitions(phasor_runtime PRIVATE "PHASOR_INSIDE=${inside}")
endif()
