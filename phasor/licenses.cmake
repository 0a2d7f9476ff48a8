# The licences of what is linked into bin/phasor and of the libraries behind its plug-ins, in one
# file: installed, and printed by phasor --licenses. Libraries that are loaded when it starts bring
# their own.
set(licenses_text "")

function(add_license name) # add_license(NAME FILE...): the first file that is there
  foreach(file ${ARGN})
    if(EXISTS ${file})
      file(READ ${file} text)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
      set(licenses_text "${licenses_text}==== ${name}\n\n${text}\n" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(NOTICE "Phasor: the licence of ${name} is not among those printed, its file is not there")
endfunction()

add_license("Phasor ${PHASOR_VERSION}" ${CMAKE_SOURCE_DIR}/LICENSE)
if(PHASOR_RUNTIME)
  # The head of its main source, where there is no file of its own.
  file(READ ${quickjs_sources}/quickjs.c quickjs_head LIMIT 4000)
  string(REGEX MATCH "^/\\*.*\n \\*/\n" quickjs_head "${quickjs_head}")
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/quickjs/head.txt CONTENT "@quickjs_head@" @ONLY)
  add_license("quickjs-ng ${quickjs_version}" ${quickjs_sources}/LICENSE
              ${quickjs_sources}/../../share/doc/qjs-src/copyright
              ${CMAKE_BINARY_DIR}/quickjs/head.txt)
  if(PHASOR_ZLIB_FILE)
    add_license(zlib /usr/share/doc/zlib1g-dev/copyright)
  endif()
  if(crypto IN_LIST PHASOR_PLUGINS)
    add_license(OpenSSL /usr/share/doc/libssl-dev/copyright)
  endif()
  if(http2 IN_LIST PHASOR_PLUGINS)
    add_license(nghttp2 /usr/share/doc/libnghttp2-dev/copyright)
  endif()
  if(ares IN_LIST PHASOR_PLUGINS)
    add_license(c-ares /usr/share/doc/libc-ares-dev/copyright)
  endif()
  if(brotli IN_LIST PHASOR_PLUGINS)
    add_license(brotli /usr/share/doc/libbrotli-dev/copyright)
  endif()
  if(icu IN_LIST PHASOR_PLUGINS)
    add_license(ICU /usr/share/doc/libicu-dev/copyright)
  endif()
  if(sqlite IN_LIST PHASOR_PLUGINS)
    add_license(SQLite /usr/share/doc/libsqlite3-dev/copyright)
  endif()
  if(zstd IN_LIST PHASOR_PLUGINS)
    add_license(zstd /usr/share/doc/libzstd-dev/copyright)
  endif()
endif()

set(licenses_file ${CMAKE_BINARY_DIR}/share/doc/phasor/licenses.txt)
file(CONFIGURE OUTPUT ${licenses_file} CONTENT "@licenses_text@" @ONLY)
install(FILES ${licenses_file} DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(READ ${licenses_file} licenses_bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," licenses_bytes "${licenses_bytes}")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/licenses.c CONTENT
     "const char phasor_licenses_text[] = {@licenses_bytes@0};\n" @ONLY)
