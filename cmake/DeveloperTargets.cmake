# `format` rewrites all sources with clang-format 14; `tidy` runs clang-tidy over what is compiled.
find_program(CLANG_FORMAT NAMES clang-format-14 clang-format)
find_program(RUN_CLANG_TIDY NAMES run-clang-tidy-14 run-clang-tidy)
if(CLANG_FORMAT)
  file(GLOB_RECURSE glyd_sources CONFIGURE_DEPENDS
    codec/*.h codec/*.hpp codec/*.cc cli/*.h cli/*.cc tests/*.h tests/*.cc tests/*.c bench/*.h bench/*.cc bench/*.c)
  add_custom_target(format COMMAND ${CLANG_FORMAT} -i ${glyd_sources} VERBATIM)
endif()
if(RUN_CLANG_TIDY)
  add_custom_target(tidy COMMAND ${RUN_CLANG_TIDY} -quiet -p "${PROJECT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}/(codec|cli)/.*"
    VERBATIM)
endif()
