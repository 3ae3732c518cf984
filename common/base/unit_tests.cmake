# ladder_unit_test(): programs of unit tests.

find_package(Catch2 REQUIRED)

if(NOT COMMAND ladder_built_soon)  # the executor as a project of its own
  function(ladder_built_soon)
  endfunction()
  function(ladder_headers target)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endfunction()
  function(ladder_headers_of target user)
    target_precompile_headers(${user} REUSE_FROM ${target})
  endfunction()
endif()

# The main program of the repository's own unit tests.
if(TARGET Catch2::Catch2WithMain)
  add_library(ladder-catch-main INTERFACE)
  target_link_libraries(ladder-catch-main INTERFACE Catch2::Catch2WithMain ladder-options fmt::fmt nlohmann_json::nlohmann_json)
else()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/catch_main.cpp CONTENT "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n")
  add_library(ladder-catch-main STATIC EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/generated/catch_main.cpp)
  target_compile_options(ladder-catch-main PRIVATE -O0)
  ladder_sanitize(ladder-catch-main)
  ladder_built_soon(ladder-catch-main)
  target_link_libraries(ladder-catch-main PUBLIC Catch2::Catch2 ladder-options fmt::fmt nlohmann_json::nlohmann_json)
endif()

# ladder_unit_test(<name> <source>...): the ninja target tests/<name>. Compiled for a short build: unit tests wait for other
# programs, or test small things. The large headers are compiled once for all of them; each source still includes what it needs.
add_library(ladder-test-headers OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/generated/nothing.cpp)
target_link_libraries(ladder-test-headers PRIVATE ladder-catch-main)
target_compile_options(ladder-test-headers PRIVATE -O0)
ladder_sanitize(ladder-test-headers)
ladder_built_soon(ladder-test-headers)
ladder_headers(ladder-test-headers <nlohmann/json.hpp> <fmt/format.h> <algorithm> <filesystem> <fstream>
  <functional> <map> <sstream> <string> <vector> ${LADDER_BASE_DIR}/catch.hpp)
# AS_JUDGES: by the compiler of the judges, whose computing sources are among its own.
function(ladder_unit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 _test "AS_JUDGES" "" "")
  add_executable(${name} EXCLUDE_FROM_ALL ${_test_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${name} PRIVATE ladder-catch-main)
  target_compile_options(${name} PRIVATE -O0)
  ladder_together(${name} 5)
  ladder_sanitize(${name})
  if(NOT _test_AS_JUDGES)
    ladder_headers_of(ladder-test-headers ${name})
    ladder_built_soon(${name})
  endif()
endfunction()

# ladder_approves(<test>): compares outputs with approved files (tests/common/approved.hpp).
function(ladder_approves test)
  set(source ${PROJECT_SOURCE_DIR}/tests/common/approved.cpp)
  target_sources(${test} PRIVATE ${source})
  set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# ladder_starts(<test> <target>...): programs that a test starts, built with it. A sanitized test starts those of the ordinary
# build, in LADDER_STARTED.
function(ladder_starts test)
  if(NOT LADDER_SANITIZE)
    add_dependencies(${test} ${ARGN})
  endif()
endfunction()
