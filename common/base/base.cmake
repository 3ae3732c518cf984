# What everything else uses, and what includes no other folder: events and their list, records of observed programs, models
# of devices and of memory, statistics, processes, text.

find_package(Threads REQUIRED)
find_package(nlohmann_json REQUIRED)
# Ubuntu 24.04 has 3.11.3, which does not compare a string with a value; Debian 12 has 3.11.2, which does. So both do.
set_property(TARGET nlohmann_json::nlohmann_json APPEND PROPERTY
             INTERFACE_COMPILE_DEFINITIONS JSON_HAS_THREE_WAY_COMPARISON=0)
find_package(fmt REQUIRED)

set(LADDER_BASE_DIR ${CMAKE_CURRENT_LIST_DIR})

# A shared object that is loaded into programs: in lib/, hides what it does not export, finds the sink in the same folder.
function(ladder_shared name)
  add_library(${name} SHARED ${ARGN})
  target_include_directories(${name} PUBLIC ${LADDER_ROOT})
  target_compile_features(${name} PUBLIC cxx_std_20)
  set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib
                                           CXX_VISIBILITY_PRESET hidden BUILD_RPATH "\$ORIGIN")
endfunction()

# All recorders of a process write to this one list.
ladder_shared(ladder-sink ${LADDER_BASE_DIR}/sink.cpp)
target_link_libraries(ladder-sink PRIVATE Threads::Threads)

# -g1: lines, no types: a thousand workers link it. Shared objects link it, too.
add_library(ladder-base STATIC
  ${LADDER_BASE_DIR}/observation/access_shape.cpp ${LADDER_BASE_DIR}/process/call_line.cpp ${LADDER_BASE_DIR}/process/cgroup.cpp ${LADDER_BASE_DIR}/costs.cpp ${LADDER_BASE_DIR}/observation/launch_sum.cpp
  ${LADDER_BASE_DIR}/observation/observation.cpp ${LADDER_BASE_DIR}/observation/observation_reader.cpp ${LADDER_BASE_DIR}/process/process_tree.cpp
  ${LADDER_BASE_DIR}/process/sandbox.cpp ${LADDER_BASE_DIR}/statistics.cpp ${LADDER_BASE_DIR}/process/sweep.cpp)
# Compiled alone: a worker that is linked with their neighbours does not need them.
set_source_files_properties(${LADDER_BASE_DIR}/process/call_line.cpp ${LADDER_BASE_DIR}/process/cgroup.cpp ${LADDER_BASE_DIR}/process/sandbox.cpp ${LADDER_BASE_DIR}/process/sweep.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
set_target_properties(ladder-base PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
target_include_directories(ladder-base PUBLIC ${LADDER_ROOT})
target_compile_features(ladder-base PUBLIC cxx_std_20)
# -O1 builds in half the time of -O3, and runs as fast where it matters. Not so here: one runs for each
# access of an observed program, of what the other reads a judge gets megabytes.
target_compile_options(ladder-base PRIVATE -O1 -g1 -fno-omit-frame-pointer)
set_source_files_properties(${LADDER_BASE_DIR}/observation/access_shape.cpp ${LADDER_BASE_DIR}/observation/observation_reader.cpp
  PROPERTIES COMPILE_OPTIONS -O2)
ladder_together(ladder-base 4)
ladder_sanitize(ladder-base)
target_link_libraries(ladder-base PUBLIC nlohmann_json::nlohmann_json PRIVATE fmt::fmt)
