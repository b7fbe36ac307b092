# What `cmake --install` puts into a prefix besides the command and the man pages (which their own folders install):
# the libraries, the headers, and the two ways to find them, pkg-config and find_package.
include(CMakePackageConfigHelpers)

# Projects that take glyd in with add_subdirectory() use the same names as those that use an installed one.
add_library(glyd::glyd ALIAS glyd_shared)
add_library(glyd::glyd_static ALIAS glyd_static)
set_target_properties(glyd_shared PROPERTIES EXPORT_NAME glyd)

install(FILES codec/capi/glyd.h codec/capi/glyd.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
# Two export sets: a program that wants the shared library must not need what the static one stands on.
install(TARGETS glyd_shared EXPORT glydTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development)
install(TARGETS glyd_static EXPORT glydStaticTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)

string(REPLACE ";" " " GLYD_STATIC_MODULE_WORDS "${GLYD_STATIC_MODULES}")
set(GLYD_CMAKE_FOLDER "${CMAKE_INSTALL_LIBDIR}/cmake/glyd")
foreach(set glydTargets glydStaticTargets)
  install(EXPORT ${set} NAMESPACE glyd:: DESTINATION "${GLYD_CMAKE_FOLDER}" COMPONENT development)
endforeach()
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/glydConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/glydConfig.cmake" INSTALL_DESTINATION "${GLYD_CMAKE_FOLDER}"
  NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Before 1.0 a new minor version may break callers; the SOVERSION says whether it did.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/glydConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/glydConfig.cmake" "${PROJECT_BINARY_DIR}/glydConfigVersion.cmake"
  DESTINATION "${GLYD_CMAKE_FOLDER}" COMPONENT development)

# In glyd.pc everything is told from the place of the file itself, but for folders that were given as absolute paths.
function(glyd_path_for_pkg_config result folder)
  if(IS_ABSOLUTE "${folder}")
    set(${result} "${folder}" PARENT_SCOPE)
  else()
    set(${result} "\${prefix}/${folder}" PARENT_SCOPE)
  endif()
endfunction()
set(GLYD_PC_FOLDER "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  file(RELATIVE_PATH GLYD_PC_TO_PREFIX "${GLYD_PC_FOLDER}" "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH GLYD_PC_TO_PREFIX "/${GLYD_PC_FOLDER}" "/")
endif()
string(REGEX REPLACE "/$" "" GLYD_PC_TO_PREFIX "${GLYD_PC_TO_PREFIX}")
glyd_path_for_pkg_config(GLYD_PC_LIBDIR "${CMAKE_INSTALL_LIBDIR}")
glyd_path_for_pkg_config(GLYD_PC_INCLUDEDIR "${CMAKE_INSTALL_INCLUDEDIR}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/glyd.pc.in" "${PROJECT_BINARY_DIR}/glyd.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/glyd.pc" DESTINATION "${GLYD_PC_FOLDER}" COMPONENT development)
