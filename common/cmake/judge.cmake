# The judge library, and the main program that every lesson's judge shares.

find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Catch2 REQUIRED)

set(judge_dir ${PROJECT_SOURCE_DIR}/common/judge)
add_library(ladder-judge STATIC EXCLUDE_FROM_ALL
  ${judge_dir}/channel.cpp ${judge_dir}/child.cpp ${judge_dir}/confine/gaps.cpp ${judge_dir}/confinement.cpp ${judge_dir}/cost_record.cpp ${judge_dir}/costs.cpp ${judge_dir}/counter_text.cpp ${judge_dir}/earlier.cpp ${judge_dir}/energy.cpp ${judge_dir}/findings.cpp
  ${judge_dir}/hardware_rules.cpp ${judge_dir}/launch.cpp ${judge_dir}/npb.cpp ${judge_dir}/npb_seed.cpp ${judge_dir}/nvml.cpp ${judge_dir}/oclgrind_rules.cpp ${judge_dir}/plan.cpp ${judge_dir}/process_tree.cpp ${judge_dir}/profile_record.cpp ${judge_dir}/reproduction.cpp ${judge_dir}/sanitizer_rules.cpp
  ${judge_dir}/session.cpp ${judge_dir}/session_call.cpp ${judge_dir}/shared_memory.cpp ${judge_dir}/sheet.cpp ${judge_dir}/smallest_failure.cpp ${judge_dir}/source_text.cpp ${judge_dir}/statistics.cpp ${judge_dir}/supervisor.cpp
  ${judge_dir}/race.cpp ${judge_dir}/target_rules.cpp ${judge_dir}/time_result.cpp ${judge_dir}/time_rules.cpp
  ${judge_dir}/device_time.cpp ${judge_dir}/work.cpp
  ${judge_dir}/each_step.cpp ${judge_dir}/instance.cpp ${judge_dir}/judge_correctness.cpp ${judge_dir}/judge_findings.cpp
  ${judge_dir}/judge_targets.cpp ${judge_dir}/judge_time.cpp ${judge_dir}/record_costs.cpp ${judge_dir}/record_profile.cpp)
# It reads, compares and writes: made to be built soon. What computes are the lessons' problems and references.
target_compile_options(ladder-judge PRIVATE -O1)
target_precompile_headers(ladder-judge PRIVATE <nlohmann/json.hpp> <fmt/format.h> <algorithm> <functional> <map> <memory>
  <optional> <set> <string> <vector> ${judge_dir}/catch.hpp)
target_precompile_headers(ladder-trace REUSE_FROM ladder-judge)
target_link_libraries(ladder-judge PUBLIC ladder-trace ladder-options fmt::fmt nlohmann_json::nlohmann_json Catch2::Catch2 ${CMAKE_DL_LIBS})

add_library(ladder-judge-main STATIC EXCLUDE_FROM_ALL ${judge_dir}/main.cpp)
target_compile_options(ladder-judge-main PRIVATE -O0)  # nearly all of it is Catch2
target_link_libraries(ladder-judge-main PUBLIC ladder-judge)

# The main program of the repository's own unit tests.
if(TARGET Catch2::Catch2WithMain)
  add_library(ladder-catch-main INTERFACE)
  target_link_libraries(ladder-catch-main INTERFACE Catch2::Catch2WithMain ladder-options fmt::fmt nlohmann_json::nlohmann_json)
else()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/catch_main.cpp CONTENT "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n")
  add_library(ladder-catch-main STATIC EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/generated/catch_main.cpp)
  target_compile_options(ladder-catch-main PRIVATE -O0)
  target_link_libraries(ladder-catch-main PUBLIC Catch2::Catch2 ladder-options fmt::fmt nlohmann_json::nlohmann_json)
endif()

# ladder_unit_test(<name> <source>...): the ninja target tests/<name>. Made to be built soon: unit tests wait for other programs,
# or look at small things. The large headers are compiled once for all of them; each source includes what it needs all the same.
add_library(ladder-test-headers OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/generated/nothing.cpp)
target_link_libraries(ladder-test-headers PRIVATE ladder-catch-main)
target_compile_options(ladder-test-headers PRIVATE -O0)
target_precompile_headers(ladder-test-headers PRIVATE <nlohmann/json.hpp> <fmt/format.h> <algorithm> <filesystem> <fstream>
  <functional> <map> <sstream> <string> <vector> ${judge_dir}/catch.hpp)
function(ladder_unit_test name)
  add_executable(${name} EXCLUDE_FROM_ALL ${ARGN})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${name} PRIVATE ladder-catch-main)
  target_compile_options(${name} PRIVATE -O0)
  target_precompile_headers(${name} REUSE_FROM ladder-test-headers)
endfunction()
