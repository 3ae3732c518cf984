# What compiles the harness: clang, where it is. Without optimisation it takes half of g++'s time, and the tool, the report and the
# unit tests wait for other programs most of the time. Steps, the executor and what judges compute with are the project's compiler's.
#   LADDER_CXX            another compiler (LADDER_CXX=g++ ./ladder …); read when a build folder is configured afresh
#   ladder_built_soon(<target>...)   compiles the sources of these targets by it
#   ladder_headers(<target> <header>...)     headers that are compiled once, for this target and others
#   ladder_headers_of(<target> <user>...)    compiles the sources of those others with them

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

# Half of what a source of the harness takes are functions of the standard library and of JSON, the same in each. clang makes those of
# compiled headers once, in an archive that all their users are linked with: a fifth of a compilation, a third of its object.
function(ladder_headers target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  if(_ladder_other_compiler AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_precompile_headers(${target} PRIVATE ${LADDER_BASE_DIR}/shared_instances.hpp)
    target_compile_options(${target} PRIVATE -fpch-codegen)
    get_target_property(folder ${target} BINARY_DIR)
    set(headers ${folder}/CMakeFiles/${target}.dir/cmake_pch.hxx.gch)
    set(code ${CMAKE_BINARY_DIR}/lib/lib${target}-code)
    add_custom_command(OUTPUT ${code}.a BYPRODUCTS ${code}.o DEPENDS ${headers} COMMENT "" VERBATIM
      COMMAND ${_ladder_other_compiler} -O0 -c ${headers} -o ${code}.o COMMAND ${CMAKE_AR} rcs ${code}.a ${code}.o)
    add_custom_target(${target}-code DEPENDS ${code}.a)
    set_target_properties(${target} PROPERTIES LADDER_CODE ${code}.a)
    _ladder_code_of(${target} ${target})
  endif()
endfunction()
function(ladder_headers_of target)
  foreach(user ${ARGN})
    target_precompile_headers(${user} REUSE_FROM ${target})
    _ladder_code_of(${target} ${user})
  endforeach()
endfunction()
# By its path: a target that makes its own headers cannot wait for a target that waits for them. What nobody calls is left out; some
# of it calls what the standard library keeps to itself.
function(_ladder_code_of target user)
  get_target_property(code ${target} LADDER_CODE)
  if(code)
    target_link_libraries(${user} PUBLIC ${code} fmt::fmt)
    target_link_options(${user} PUBLIC LINKER:--gc-sections)
  endif()
endfunction()
