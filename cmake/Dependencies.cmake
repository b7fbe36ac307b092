# Every outside library is found here. Debian 12 names: libzstd-dev liblz4-dev libxxhash-dev libsimdjson-dev
# libboost-iostreams-dev zlib1g-dev libbz2-dev liblzma-dev libcli11-dev libfmt-dev libgtest-dev libbenchmark-dev.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd>=1.5.0)
pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET liblz4>=1.9.0)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash>=0.8.0)
set(GLYD_STATIC_MODULES libzstd liblz4 libxxhash) # pkg-config names of what libglyd.a leaves to its user

# Linked by name instead of by the path of a shared library, so that the command can be linked statically.
function(glyd_link_by_name)
  foreach(module ${ARGN})
    set_target_properties(PkgConfig::${module} PROPERTIES
      INTERFACE_LINK_LIBRARIES "${${module}_LIBRARIES}" INTERFACE_LINK_DIRECTORIES "${${module}_LIBRARY_DIRS}")
  endforeach()
endfunction()
glyd_link_by_name(ZSTD LZ4 XXHASH)

# simdjson is an installed library, or is built from its sources into libglyd.a and libglyd.so: Debian 12 has no archive
# of it, and the command is linked statically (cli/CMakeLists.txt). packaging/fetch_simdjson brings the sources.
set(GLYD_SIMDJSON_SOURCE "" CACHE PATH "Folder with the sources of simdjson; empty: the installed library")
if(GLYD_SIMDJSON_SOURCE)
  include(BundledSimdjson)
else()
  pkg_check_modules(SIMDJSON REQUIRED IMPORTED_TARGET simdjson>=3.0)
  glyd_link_by_name(SIMDJSON)
  add_library(glyd::simdjson ALIAS PkgConfig::SIMDJSON)
  list(APPEND GLYD_STATIC_MODULES simdjson)
endif()

if(GLYD_BUILD_CLI)
  # Static: the command is linked statically where that is possible (cli/CMakeLists.txt), and loads one library less
  # where it is not.
  set(Boost_USE_STATIC_LIBS ON)
  find_package(Boost 1.74 REQUIRED COMPONENTS iostreams)
  find_package(BZip2 REQUIRED) # has no pkg-config file on Debian 12
  pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
  pkg_check_modules(LZMA REQUIRED IMPORTED_TARGET liblzma>=5.2)
  glyd_link_by_name(ZLIB LZMA)
  find_package(CLI11 2.1 QUIET CONFIG)
  if(NOT CLI11_FOUND) # Debian 12 ships CLI11 with a pkg-config file only
    pkg_check_modules(CLI11 REQUIRED IMPORTED_TARGET CLI11)
    add_library(CLI11::CLI11 ALIAS PkgConfig::CLI11)
  endif()
  find_package(fmt 9 REQUIRED)
endif()
if(GLYD_BUILD_TESTS)
  find_package(GTest 1.12 REQUIRED)
  find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
endif()
if(GLYD_BUILD_BENCH)
  find_package(benchmark REQUIRED)
endif()
