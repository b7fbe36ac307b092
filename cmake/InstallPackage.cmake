# What `cmake --install` puts in place for programs that use libglyd: libraries, headers, pkg-config and CMake packages.
include(CMakePackageConfigHelpers)

target_link_options(glyd_shared PRIVATE "-Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/glyd.map")
set_target_properties(glyd_shared PROPERTIES LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/glyd.map" EXPORT_NAME glyd)
set_target_properties(glyd_static PROPERTIES EXPORT_NAME glyd_static)
# Users of the static library link what it is made of; the shared library brings that along.
target_link_libraries(glyd_static PRIVATE
  $<INSTALL_INTERFACE:PkgConfig::GLYD_ZSTD> $<INSTALL_INTERFACE:PkgConfig::GLYD_LZ4> $<INSTALL_INTERFACE:PkgConfig::GLYD_XXHASH>
  $<INSTALL_INTERFACE:stdc++>)

install(TARGETS glyd_shared glyd_static EXPORT glydTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(FILES codec/capi/glyd.h codec/capi/glyd.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

set(GLYD_CMAKE_FOLDER "${CMAKE_INSTALL_LIBDIR}/cmake/glyd")
install(EXPORT glydTargets NAMESPACE glyd:: DESTINATION ${GLYD_CMAKE_FOLDER} COMPONENT development)
configure_package_config_file(cmake/glydConfig.cmake.in "${PROJECT_BINARY_DIR}/glydConfig.cmake"
  INSTALL_DESTINATION ${GLYD_CMAKE_FOLDER})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/glydConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/glydConfig.cmake" "${PROJECT_BINARY_DIR}/glydConfigVersion.cmake"
  DESTINATION ${GLYD_CMAKE_FOLDER} COMPONENT development)

configure_file(cmake/glyd.pc.in "${PROJECT_BINARY_DIR}/glyd.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/glyd.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)
