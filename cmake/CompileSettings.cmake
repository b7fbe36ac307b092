# One place for how every target is compiled. Targets link glyd_settings; nothing sets flags by itself.
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

add_library(glyd_settings INTERFACE)
target_compile_features(glyd_settings INTERFACE cxx_std_20)
target_include_directories(glyd_settings INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>")
target_compile_definitions(glyd_settings INTERFACE _FILE_OFFSET_BITS=64)
target_compile_options(glyd_settings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wno-missing-field-initializers
  "$<$<BOOL:${GLYD_WERROR}>:-Werror>")
if(GLYD_SANITIZE)
  target_compile_options(glyd_settings INTERFACE -fsanitize=${GLYD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(glyd_settings INTERFACE -fsanitize=${GLYD_SANITIZE})
endif()
if(GLYD_BUILD_FUZZERS)
  target_compile_options(glyd_settings INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Objects go into both the static and the shared library, so all of them are position independent, and nothing is
# exported unless it says so.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
