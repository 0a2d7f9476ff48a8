# Headers, libraries, libuv.pc and the CMake package "libuv".
set_target_properties(uv PROPERTIES EXPORT_NAME uv)
set_target_properties(uv_a PROPERTIES EXPORT_NAME uv_a)
install(TARGETS uv uv_a EXPORT libuvTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/uv.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/uv DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# The .pc files find their prefix from where they are, so that a tree can be installed anywhere.
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/libuv.pc.in ${CMAKE_BINARY_DIR}/libuv.pc @ONLY)
configure_file(cmake/libuv-static.pc.in ${CMAKE_BINARY_DIR}/libuv-static.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/libuv.pc ${CMAKE_BINARY_DIR}/libuv-static.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/libuv)
install(EXPORT libuvTargets NAMESPACE libuv:: DESTINATION ${package_dir})
file(WRITE ${CMAKE_BINARY_DIR}/libuvConfig.cmake
     "include(CMakeFindDependencyMacro)\nfind_dependency(Threads)\n"
     "include(\${CMAKE_CURRENT_LIST_DIR}/libuvTargets.cmake)\n")
write_basic_package_version_file(${CMAKE_BINARY_DIR}/libuvConfigVersion.cmake
                                 COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/libuvConfig.cmake ${CMAKE_BINARY_DIR}/libuvConfigVersion.cmake
        DESTINATION ${package_dir})
