# The judge library, and the main program that every lesson's judge shares.

find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Catch2 REQUIRED)

set(judge_dir ${PROJECT_SOURCE_DIR}/common/judge)
add_library(ladder-judge STATIC EXCLUDE_FROM_ALL
  ${judge_dir}/channel.cpp ${judge_dir}/child.cpp ${judge_dir}/cost_record.cpp ${judge_dir}/costs.cpp ${judge_dir}/counter_text.cpp ${judge_dir}/earlier.cpp ${judge_dir}/energy.cpp ${judge_dir}/findings.cpp
  ${judge_dir}/hardware_rules.cpp ${judge_dir}/launch.cpp ${judge_dir}/npb.cpp ${judge_dir}/npb_seed.cpp ${judge_dir}/nvml.cpp ${judge_dir}/oclgrind_rules.cpp ${judge_dir}/plan.cpp ${judge_dir}/process_tree.cpp ${judge_dir}/profile_record.cpp ${judge_dir}/reproduction.cpp ${judge_dir}/sanitizer_rules.cpp
  ${judge_dir}/session.cpp ${judge_dir}/shared_memory.cpp ${judge_dir}/sheet.cpp ${judge_dir}/source_text.cpp ${judge_dir}/statistics.cpp ${judge_dir}/supervisor.cpp
  ${judge_dir}/target_rules.cpp ${judge_dir}/time_rules.cpp)
target_link_libraries(ladder-judge PUBLIC ladder-trace ladder-options fmt::fmt nlohmann_json::nlohmann_json Catch2::Catch2 ${CMAKE_DL_LIBS})

add_library(ladder-judge-main STATIC EXCLUDE_FROM_ALL ${judge_dir}/main.cpp)
target_link_libraries(ladder-judge-main PUBLIC ladder-judge)

# The main program of the repository's own unit tests.
if(TARGET Catch2::Catch2WithMain)
  add_library(ladder-catch-main INTERFACE)
  target_link_libraries(ladder-catch-main INTERFACE Catch2::Catch2WithMain ladder-options)
else()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/catch_main.cpp CONTENT "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n")
  add_library(ladder-catch-main STATIC EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/generated/catch_main.cpp)
  target_link_libraries(ladder-catch-main PUBLIC Catch2::Catch2 ladder-options)
endif()
