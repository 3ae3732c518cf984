# The tool: the programs behind ./ladder. They link no lesson.

find_package(CLI11 REQUIRED)
set(tool_dir ${PROJECT_SOURCE_DIR}/common/tool)

add_library(ladder-cut STATIC EXCLUDE_FROM_ALL ${tool_dir}/cut.cpp ${tool_dir}/code_lines.cpp ${tool_dir}/handout_skeleton.cpp ${tool_dir}/mutant_unit.cpp)
target_link_libraries(ladder-cut PUBLIC ladder-options)
add_executable(cut EXCLUDE_FROM_ALL ${tool_dir}/cut_main.cpp)
target_link_libraries(cut PRIVATE ladder-cut)
foreach(part ladder-cut cut)
  target_compile_options(${part} PRIVATE -O1)
endforeach()

# Three programs over three libraries, so that nobody compiles what their verb does not need: ./ladder builds the smallest
# program that has it (verbs.hpp). A library knows nothing of those below it here.

# What a first verdict needs.
add_library(ladder-check-core STATIC EXCLUDE_FROM_ALL
  ${tool_dir}/assignment.cpp ${tool_dir}/build.cpp ${tool_dir}/built_steps.cpp ${tool_dir}/catalogue.cpp ${tool_dir}/check.cpp
  ${tool_dir}/check_program.cpp ${tool_dir}/check_verbs.cpp ${tool_dir}/compiler_output.cpp
  ${tool_dir}/context.cpp ${tool_dir}/course_view.cpp ${tool_dir}/diff.cpp ${tool_dir}/files.cpp
  ${tool_dir}/finding_text.cpp ${tool_dir}/gdb.cpp ${tool_dir}/handout_copy.cpp ${tool_dir}/harness.cpp
  ${tool_dir}/hint.cpp ${tool_dir}/judge_names.cpp ${tool_dir}/judging.cpp ${tool_dir}/kept.cpp
  ${tool_dir}/lint.cpp ${tool_dir}/list.cpp ${tool_dir}/measured_hint.cpp ${tool_dir}/next_rung.cpp
  ${tool_dir}/old_names.cpp ${tool_dir}/options.cpp ${tool_dir}/peers.cpp ${tool_dir}/placement.cpp
  ${tool_dir}/plan_file.cpp ${tool_dir}/predict.cpp ${tool_dir}/predictions.cpp
  ${tool_dir}/private_tests.cpp ${tool_dir}/process.cpp ${tool_dir}/program.cpp
  ${tool_dir}/program_build.cpp ${tool_dir}/program_end.cpp ${tool_dir}/program_ninja.cpp
  ${tool_dir}/program_run.cpp ${tool_dir}/progress.cpp ${tool_dir}/recipe.cpp ${tool_dir}/records.cpp
  ${tool_dir}/reset.cpp ${tool_dir}/start.cpp ${tool_dir}/terminal.cpp ${tool_dir}/this_device.cpp
  ${tool_dir}/times.cpp ${tool_dir}/toolchain.cpp ${tool_dir}/unified_diff.cpp
  ${tool_dir}/verb_options.cpp ${tool_dir}/job_queue.cpp ${tool_dir}/mutant_build.cpp ${tool_dir}/mutant_ninja.cpp
  ${tool_dir}/phases.cpp ${tool_dir}/phase_lanes.cpp ${tool_dir}/submission_build.cpp ${tool_dir}/build_lock.cpp
  ${tool_dir}/source_excerpt.cpp ${tool_dir}/missed_text.cpp ${tool_dir}/typed_names.cpp
  ${tool_dir}/program_input.cpp)
target_link_libraries(ladder-check-core PUBLIC ladder-cut ladder-course-view ladder-digest ladder-results ladder-trace ladder-machine CLI11::CLI11)
target_link_libraries(ladder-machine INTERFACE ladder-check-core)  # it starts its probes with the tool's processes
ladder_together(ladder-check-core 14)

# The other verbs of students: numbers, pages, what is handed in.
set(tool_parts ladder-results ladder-machine ladder-check-core)
set(tool_programs ladder-check)
if(TARGET ladder-intake)
  add_library(ladder-student-core STATIC EXCLUDE_FROM_ALL
    ${tool_dir}/bench.cpp ${tool_dir}/doctor.cpp ${tool_dir}/doctor_report.cpp
    ${tool_dir}/handout_reader.cpp ${tool_dir}/keys.cpp ${tool_dir}/profile.cpp
    ${tool_dir}/profile_view.cpp ${tool_dir}/report.cpp ${tool_dir}/run.cpp ${tool_dir}/saved_files.cpp
    ${tool_dir}/student_verbs.cpp ${tool_dir}/submit.cpp
    ${tool_dir}/submit_package.cpp ${tool_dir}/tally.cpp ${tool_dir}/update.cpp ${tool_dir}/watch.cpp
    ${tool_dir}/watch_files.cpp ${tool_dir}/watch_step.cpp)
  target_link_libraries(ladder-student-core PUBLIC ladder-check-core ladder-intake ladder-figures)
  ladder_together(ladder-student-core 10)
  list(APPEND tool_parts ladder-figures ladder-student-core)
  list(APPEND tool_programs ladder-student)
endif()

# Those of people who teach, and of people who work on this repository.
if(TARGET ladder-course)
  add_library(ladder-tool-core STATIC EXCLUDE_FROM_ALL
    ${tool_dir}/added_lines.cpp ${tool_dir}/amend.cpp ${tool_dir}/attacks.cpp ${tool_dir}/attempts.cpp
    ${tool_dir}/calibrate.cpp ${tool_dir}/costs.cpp ${tool_dir}/course_new.cpp ${tool_dir}/course_purge.cpp
    ${tool_dir}/course_rungs.cpp ${tool_dir}/course_trial.cpp ${tool_dir}/course_verb.cpp
    ${tool_dir}/course_zip.cpp ${tool_dir}/docs.cpp ${tool_dir}/docs_pages.cpp ${tool_dir}/edits.cpp
    ${tool_dir}/exam.cpp ${tool_dir}/exam_bank.cpp ${tool_dir}/exam_pages.cpp ${tool_dir}/exam_run.cpp
    ${tool_dir}/grade.cpp ${tool_dir}/grade_course.cpp ${tool_dir}/grade_export.cpp
    ${tool_dir}/grade_final.cpp ${tool_dir}/grade_gradescope.cpp ${tool_dir}/grade_handed.cpp
    ${tool_dir}/grade_lanes.cpp ${tool_dir}/grade_marks.cpp ${tool_dir}/grade_merge.cpp
    ${tool_dir}/grade_one.cpp ${tool_dir}/grade_parts.cpp ${tool_dir}/grade_place.cpp
    ${tool_dir}/grade_platforms.cpp ${tool_dir}/grade_publish.cpp ${tool_dir}/grade_store.cpp
    ${tool_dir}/grade_summary.cpp ${tool_dir}/grade_symbols.cpp ${tool_dir}/grade_uids.cpp
    ${tool_dir}/gradescope.cpp ${tool_dir}/handout.cpp ${tool_dir}/handout_check.cpp
    ${tool_dir}/handout_lesson.cpp ${tool_dir}/handout_verbs.cpp ${tool_dir}/hardware.cpp
    ${tool_dir}/hardware_findings.cpp ${tool_dir}/image.cpp ${tool_dir}/insertions.cpp
    ${tool_dir}/judge_again.cpp ${tool_dir}/named_solutions.cpp ${tool_dir}/new.cpp ${tool_dir}/open.cpp
    ${tool_dir}/prebuild.cpp ${tool_dir}/publish_private.cpp ${tool_dir}/regrade.cpp
    ${tool_dir}/regrade_changes.cpp ${tool_dir}/reproduce.cpp ${tool_dir}/results.cpp
    ${tool_dir}/review.cpp ${tool_dir}/review_items.cpp ${tool_dir}/review_questions.cpp
    ${tool_dir}/review_source.cpp ${tool_dir}/similarity.cpp ${tool_dir}/similarity_runs.cpp
    ${tool_dir}/test.cpp ${tool_dir}/test_attacks.cpp ${tool_dir}/test_plans.cpp
    ${tool_dir}/test_programs.cpp ${tool_dir}/test_store.cpp ${tool_dir}/grade_recipes.cpp ${tool_dir}/todos.cpp ${tool_dir}/tree_checks.cpp ${tool_dir}/verbs.cpp
    ${tool_dir}/mutant_words.cpp
    ${tool_dir}/viva.cpp ${tool_dir}/step_evidence.cpp ${tool_dir}/grade_intake.cpp ${tool_dir}/equal_sources.cpp
    ${tool_dir}/suite_file.cpp ${tool_dir}/suite_counts.cpp ${tool_dir}/suite_driver.cpp
    ${tool_dir}/suite_sanitizer.cpp ${tool_dir}/sanitizer_log.cpp ${tool_dir}/validate.cpp)
  target_include_directories(ladder-tool-core SYSTEM PRIVATE ${LADDER_TOML_INCLUDE})
  target_link_libraries(ladder-tool-core PUBLIC ladder-student-core ladder-course ladder-grade ladder-report)
  ladder_together(ladder-tool-core 14)
  list(APPEND tool_parts ladder-report ladder-tool-core)
  list(APPEND tool_programs ladder-tool)
endif()

# A tool waits for other programs: it is made to be built soon, not to run fast.
foreach(part ${tool_parts})
  target_compile_options(${part} PRIVATE -O0)
  ladder_sanitize(${part})
  ladder_built_soon(${part})
  if(NOT part STREQUAL ladder-results)
    target_precompile_headers(${part} REUSE_FROM ladder-results)
  endif()
endforeach()
target_precompile_headers(ladder-results PRIVATE <nlohmann/json.hpp> <fmt/format.h> <filesystem> <functional> <map> <string> <vector>)
ladder_together(ladder-machine 4)

foreach(program ${tool_programs})
  string(REGEX REPLACE "^ladder-(.*)$" "\\1_verbs" verbs ${program})
  if(program STREQUAL ladder-tool)
    set(verbs verbs)
  endif()
  add_executable(${program} EXCLUDE_FROM_ALL ${tool_dir}/main.cpp)
  target_compile_definitions(${program} PRIVATE LADDER_VERBS=${verbs})
  target_link_libraries(${program} PRIVATE ${program}-core)
  ladder_sanitize(${program})
  ladder_built_soon(${program})
endforeach()
ladder_sanitize(ladder-cut cut)
