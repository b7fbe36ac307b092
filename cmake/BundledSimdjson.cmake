# simdjson from its sources, as objects: what links glyd::simdjson has them in it, and its users need no simdjson.
set(source "${GLYD_SIMDJSON_SOURCE}/src/simdjson.cpp")
set(headers "${GLYD_SIMDJSON_SOURCE}/include")
if(NOT EXISTS "${source}" AND EXISTS "${GLYD_SIMDJSON_SOURCE}/singleheader/simdjson.cpp")
  set(source "${GLYD_SIMDJSON_SOURCE}/singleheader/simdjson.cpp")
  set(headers "${GLYD_SIMDJSON_SOURCE}/singleheader")
endif()
if(NOT EXISTS "${source}" OR NOT EXISTS "${headers}/simdjson.h")
  message(FATAL_ERROR "GLYD_SIMDJSON_SOURCE: ${GLYD_SIMDJSON_SOURCE} holds no sources of simdjson")
endif()

add_library(glyd_simdjson OBJECT "${source}")
add_library(glyd::simdjson ALIAS glyd_simdjson)
target_compile_features(glyd_simdjson PUBLIC cxx_std_17)
target_include_directories(glyd_simdjson SYSTEM PUBLIC "${headers}" PRIVATE "${GLYD_SIMDJSON_SOURCE}/src")
# A program that links libglyd.a may have a simdjson of another version: this one's names are its own.
target_compile_definitions(glyd_simdjson PUBLIC simdjson=glyd_simdjson)
# Not our code, so its warnings are none of ours; and slow without optimisation, whatever the kind of build.
target_compile_options(glyd_simdjson PRIVATE -w -O3)
