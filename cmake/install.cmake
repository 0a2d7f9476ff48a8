# Headers, libraries, libuv.pc and the CMake package "libuv".
set_target_properties(uv PROPERTIES EXPORT_NAME uv)
set_target_properties(uv_a PROPERTIES EXPORT_NAME uv_a)
install(TARGETS uv uv_a EXPORT libuvConfig
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/uv.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/uv DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
configure_file(cmake/libuv.pc.in ${CMAKE_BINARY_DIR}/libuv.pc @ONLY)
configure_file(cmake/libuv-static.pc.in ${CMAKE_BINARY_DIR}/libuv-static.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/libuv.pc ${CMAKE_BINARY_DIR}/libuv-static.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/libuv)
install(EXPORT libuvConfig NAMESPACE libuv:: DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/libuvConfigVersion.cmake
                                 COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/libuvConfigVersion.cmake DESTINATION ${package_dir})
