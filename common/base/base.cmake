# What everything stands on, and what knows nobody: events and their list, records of observed programs, models of devices
# and of memory, statistics, processes, text.

find_package(Threads REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)

set(LADDER_BASE_DIR ${CMAKE_CURRENT_LIST_DIR})

# A shared object that is loaded into programs: in lib/, shows only what it exports, finds the sink beside it.
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

# -g1: lines, and nothing of types: each of a thousand workers is linked with it. Shared objects are, too.
add_library(ladder-base STATIC
  ${LADDER_BASE_DIR}/access_shape.cpp ${LADDER_BASE_DIR}/costs.cpp ${LADDER_BASE_DIR}/launch_sum.cpp
  ${LADDER_BASE_DIR}/observation.cpp ${LADDER_BASE_DIR}/observation_reader.cpp ${LADDER_BASE_DIR}/process_tree.cpp
  ${LADDER_BASE_DIR}/statistics.cpp)
set_target_properties(ladder-base PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
target_include_directories(ladder-base PUBLIC ${LADDER_ROOT})
target_compile_features(ladder-base PUBLIC cxx_std_20)
# -O1: half of what -O3 takes to build, and as quick where it matters; but each access of an observed program is looked at.
target_compile_options(ladder-base PRIVATE -O1 -g1 -fno-omit-frame-pointer -Wall -Wextra)
set_source_files_properties(${LADDER_BASE_DIR}/access_shape.cpp PROPERTIES COMPILE_OPTIONS -O2)
ladder_together(ladder-base 4)
ladder_sanitize(ladder-base)
target_link_libraries(ladder-base PUBLIC nlohmann_json::nlohmann_json PRIVATE fmt::fmt)
