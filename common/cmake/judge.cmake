# The judge library, and the main program that every lesson's judge shares.

find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Catch2 REQUIRED)

set(judge_dir ${PROJECT_SOURCE_DIR}/common/judge)
add_library(ladder-judge STATIC EXCLUDE_FROM_ALL
  ${judge_dir}/session/supervised_process.cpp ${judge_dir}/session/confinement.cpp ${judge_dir}/session/cpu_affinity.cpp ${judge_dir}/timing/cost_record.cpp ${judge_dir}/findings/counter_text.cpp ${judge_dir}/earlier_verdicts.cpp ${judge_dir}/timing/energy.cpp ${judge_dir}/findings/findings.cpp ${judge_dir}/findings/redundant_work.cpp
  ${judge_dir}/findings/hardware_rules.cpp ${judge_dir}/inputs.cpp ${judge_dir}/session/launch.cpp ${judge_dir}/timing/nvml.cpp ${judge_dir}/findings/oclgrind_rules.cpp ${judge_dir}/plan.cpp ${judge_dir}/profile_record.cpp ${judge_dir}/reproduction.cpp ${judge_dir}/findings/sanitizer_rules.cpp ${judge_dir}/findings/bulk_copy_races.cpp
  ${judge_dir}/session/session.cpp ${judge_dir}/session/session_call.cpp ${judge_dir}/session/session_failure.cpp ${judge_dir}/session/session_start.cpp ${judge_dir}/test_report.cpp ${judge_dir}/failure_minimizer.cpp ${judge_dir}/findings/source_text.cpp ${judge_dir}/session/supervisor.cpp
  ${judge_dir}/timing/timing_session.cpp ${judge_dir}/timing/rounds.cpp ${judge_dir}/target_rules.cpp ${judge_dir}/timing/time_result.cpp ${judge_dir}/timing/time_rules.cpp
  ${judge_dir}/timing/device_time.cpp ${judge_dir}/timing/gain.cpp ${judge_dir}/timing/roofline_bound.cpp
  ${judge_dir}/each_step.cpp ${judge_dir}/session/instance.cpp ${judge_dir}/judge_correctness.cpp ${judge_dir}/findings/judge_findings.cpp
  ${judge_dir}/findings/finding_cases.cpp ${judge_dir}/judge_targets.cpp ${judge_dir}/timing/judge_time.cpp ${judge_dir}/timing/record_costs.cpp ${judge_dir}/record_profile.cpp ${judge_dir}/record_file.cpp ${judge_dir}/session/kernel_build.cpp ${judge_dir}/displaced.cpp ${judge_dir}/shown_case.cpp ${judge_dir}/session/end_message.cpp ${judge_dir}/session/where_text.cpp)
# It reads, compares and writes: made to be built soon. What computes are the lessons' problems and references.
target_compile_options(ladder-judge PRIVATE -O0)
ladder_together(ladder-judge 24)
ladder_headers_of(ladder-test-headers ladder-judge)
target_link_libraries(ladder-judge PRIVATE ladder-sodium PUBLIC ladder-model ladder-trace ladder-confine ladder-options fmt::fmt nlohmann_json::nlohmann_json Catch2::Catch2 ${CMAKE_DL_LIBS})

add_library(ladder-judge-main STATIC EXCLUDE_FROM_ALL ${judge_dir}/main.cpp)
target_compile_options(ladder-judge-main PRIVATE -O0)  # nearly all of it is Catch2
target_link_libraries(ladder-judge-main PUBLIC ladder-judge)
ladder_sanitize(ladder-judge ladder-judge-main)
ladder_built_soon(ladder-judge ladder-judge-main)
