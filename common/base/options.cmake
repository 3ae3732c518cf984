# Options that all our targets are compiled with. LADDER_ROOT: the folder that contains common.

get_filename_component(LADDER_ROOT ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)  # so that a build folder can be moved to another machine
include(CheckCXXCompilerFlag)

# Of libraries that only compile headers.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/nothing.cpp CONTENT "\n")

add_library(ladder-options INTERFACE)
target_include_directories(ladder-options INTERFACE ${LADDER_ROOT})
set(LADDER_WARNINGS -Wall -Wextra)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND LADDER_WARNINGS -Wno-restrict)  # GCC 12 accuses "text" + std::string
endif()
target_compile_options(ladder-options INTERFACE ${LADDER_WARNINGS})  # of steps, too

# ladder_warn(<folder>): warnings for the targets of this folder and of those below it: what is ours, harness and tests. Called once,
# when all targets are there. Left out are targets with the property LADDER_NO_WARNINGS: a student's warning is no error of ours, and
# a rewritten CUDA source is nobody's to read. LADDER_WARNINGS_ARE_ERRORS: `./ladder test` sets it; a compiler that is newer than
# those we know stops nobody else. Set it to OFF to test with such a one.
list(APPEND LADDER_WARNINGS -Wshadow)
if(LADDER_WARNINGS_ARE_ERRORS)
  # A source with flags of its own (OpenMP) does without the precompiled header, and clang without flags for g++: no faults.
  list(APPEND LADDER_WARNINGS -Werror -Wno-error=invalid-pch -Wno-unused-command-line-argument)
endif()
function(ladder_no_warnings)
  set_property(TARGET ${ARGN} PROPERTY LADDER_NO_WARNINGS ON)
endfunction()
function(ladder_warn folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    get_target_property(none ${target} LADDER_NO_WARNINGS)
    if(type MATCHES "^((STATIC|SHARED|MODULE|OBJECT)_LIBRARY|EXECUTABLE)$" AND NOT none)
      target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${LADDER_WARNINGS}>")
    endif()
  endforeach()
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below ${folders})
    ladder_warn(${below})
  endforeach()
endfunction()

# LADDER_SANITIZE=<folder>: the unit tests, and what they are linked with, under the sanitizers of addresses and of undefined
# behaviour. What a test starts and no such library may be in (workers, observed programs, plugins) is that of the ordinary
# build, in <folder>. `./ladder test --part sanitized` configures it.
set(LADDER_SANITIZE "" CACHE PATH "the ordinary build next to which this one is sanitized")
set(LADDER_STARTED ${CMAKE_BINARY_DIR})
if(LADDER_SANITIZE)
  set(LADDER_STARTED ${LADDER_SANITIZE})
endif()

# ladder_sanitize(<target>...): compiles them with the sanitizers where LADDER_SANITIZE is set; what is linked with them is linked so.
function(ladder_sanitize)
  if(LADDER_SANITIZE)
    foreach(target ${ARGN})
      target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=undefined
        -fno-omit-frame-pointer -g1)
      target_link_options(${target} PUBLIC -fsanitize=address,undefined)
    endforeach()
  endif()
endfunction()

# ladder_together(<target> <number>): compiles <number> of its sources as one: a quarter of the time, since most of it goes
# into headers and templates. Each source still includes what it needs. OFF: an edit builds one source and not its neighbours.
option(LADDER_TOGETHER "compile several sources of the harness as one" ON)
function(ladder_together target number)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${LADDER_TOGETHER} UNITY_BUILD_BATCH_SIZE ${number})
endfunction()

# lld links in a third to a tenth of the time; each of a thousand workers is mostly lines of the executor. Looked for at each
# configuration: it may have come or gone since the last. Only in /usr, which every sandbox shows that submissions are compiled in.
unset(LADDER_LLD CACHE)
find_program(LADDER_LLD ld.lld)
set(LADDER_LINK_OPTIONS "")
if(LADDER_LLD MATCHES "^/usr/")
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=lld LADDER_LINKS_BY_LLD)
  if(LADDER_LINKS_BY_LLD)
    set(LADDER_LINK_OPTIONS -fuse-ld=lld)
    add_link_options(${LADDER_LINK_OPTIONS})
  endif()
endif()

# With precompiled headers GCC would search them for garbage again and again: an eighth of a compilation.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:--param ggc-min-expand=200 --param ggc-min-heapsize=1000000>")
endif()
