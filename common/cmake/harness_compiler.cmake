# What compiles the harness: clang, where it is. Without optimisation it takes half of g++'s time, and the tool, the report and the
# unit tests wait for other programs most of the time. Steps, the executor and what judges compute with are the project's compiler's.
#   LADDER_CXX            another compiler (LADDER_CXX=g++ ./ladder …); read when a build folder is configured afresh
#   ladder_built_soon(<target>...)   compiles the sources of these targets by it

set(LADDER_CXX "$ENV{LADDER_CXX}" CACHE STRING "compiles the harness; empty: clang++, where it is")

# It may be there without a C++ library that it finds, or with one that is too new for it.
function(_ladder_clang_or_nothing result)
  set(${result} "" PARENT_SCOPE)
  if(NOT LADDER_CLANG OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU OR LADDER_SANITIZE)
    return()
  endif()
  set(probe ${CMAKE_BINARY_DIR}/generated/harness_compiler.cpp)
  file(CONFIGURE OUTPUT ${probe} CONTENT
"#include <chrono>
#include <filesystem>
#include <map>
#include <ranges>
#include <regex>
#include <span>
std::chrono::hh_mm_ss<std::chrono::milliseconds> clock_time;  // clang 14 refuses that of GCC 13's library
")
  execute_process(COMMAND ${LADDER_CLANG} -std=c++20 -fsyntax-only ${probe} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(NOT failed)
    set(${result} ${LADDER_CLANG} PARENT_SCOPE)
  endif()
endfunction()

# Decided once in a build folder: a clang that comes later would have the whole harness compiled again.
if(LADDER_CXX)
  unset(LADDER_HARNESS_CXX CACHE)
  find_program(LADDER_HARNESS_CXX ${LADDER_CXX})
  if(NOT LADDER_HARNESS_CXX)
    message(FATAL_ERROR "LADDER_CXX=${LADDER_CXX}: there is no such compiler. Name another, or unset LADDER_CXX")
  endif()
elseif(NOT DEFINED LADDER_HARNESS_CXX OR (LADDER_HARNESS_CXX AND NOT EXISTS ${LADDER_HARNESS_CXX}))
  _ladder_clang_or_nothing(_found)
  set(LADDER_HARNESS_CXX "${_found}" CACHE INTERNAL "compiles the harness; empty: the project's compiler")
endif()
get_filename_component(_harness "${LADDER_HARNESS_CXX}" REALPATH)
get_filename_component(_project ${CMAKE_CXX_COMPILER} REALPATH)
set(_ladder_other_compiler "")
if(LADDER_HARNESS_CXX AND NOT _harness STREQUAL _project)
  set(_ladder_other_compiler ${LADDER_HARNESS_CXX})
  message(STATUS "The harness is compiled by ${LADDER_HARNESS_CXX}")
endif()

function(ladder_built_soon)
  if(_ladder_other_compiler)
    set(by_other sh ${PROJECT_SOURCE_DIR}/common/cmake/compiler_wrapper.sh ${_ladder_other_compiler} ${CMAKE_CXX_COMPILER_LAUNCHER})
    foreach(target ${ARGN})
      set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${by_other}")
      # What is meant for g++ alone: -Wno-restrict, --param.
      # Templates of precompiled headers are instantiated with these, once: a sixth of a compilation.
      target_compile_options(${target} PRIVATE -Wno-unknown-warning-option -Wno-unused-command-line-argument -fpch-instantiate-templates)
    endforeach()
  endif()
endfunction()
