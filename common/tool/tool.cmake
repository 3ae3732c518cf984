# The tool: the programs behind ./ladder. They link no lesson.

find_package(CLI11 REQUIRED)
set(tool_dir ${PROJECT_SOURCE_DIR}/common/tool)

add_library(ladder-cut STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/common/skeleton/skeletonize.cpp ${PROJECT_SOURCE_DIR}/common/skeleton/code_lines.cpp ${PROJECT_SOURCE_DIR}/common/skeleton/handout_skeleton.cpp ${PROJECT_SOURCE_DIR}/common/skeleton/mutant_unit.cpp ${PROJECT_SOURCE_DIR}/common/skeleton/wrap.cpp)
target_link_libraries(ladder-cut PUBLIC ladder-options)
add_executable(cut EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/common/skeleton/skeletonize_main.cpp)
target_link_libraries(cut PRIVATE ladder-cut)
ladder_together(ladder-cut 4)
foreach(part ladder-cut cut)
  target_compile_options(${part} PRIVATE -O1)  # a handout looks for every secret in every file: a third of -O0's time
  ladder_built_soon(${part})
endforeach()

# Four programs over four libraries, so that nobody compiles what their verb does not need: ./ladder builds the smallest
# program that has it (verbs.hpp). A library knows nothing of those below it here.

# What a first verdict needs.
add_library(ladder-check-core STATIC EXCLUDE_FROM_ALL
  ${tool_dir}/standing/assignment.cpp ${tool_dir}/build/build.cpp ${tool_dir}/build/built_steps.cpp ${tool_dir}/catalogue/catalogue.cpp ${tool_dir}/student/check.cpp
  ${tool_dir}/student/check_program.cpp ${tool_dir}/check_verbs.cpp ${tool_dir}/build/compiler_output.cpp
  ${tool_dir}/core/context.cpp ${tool_dir}/standing/course_view.cpp ${tool_dir}/student/diff.cpp ${tool_dir}/student/feedback.cpp ${PROJECT_SOURCE_DIR}/common/base/files/files.cpp
  ${tool_dir}/program/finding_text.cpp ${tool_dir}/program/gdb.cpp ${tool_dir}/handout/handout_copy.cpp ${tool_dir}/build/harness.cpp
  ${tool_dir}/student/hint.cpp ${tool_dir}/judging/judge_names.cpp ${tool_dir}/judging/judging.cpp ${tool_dir}/core/student_state.cpp
  ${tool_dir}/build/lint.cpp ${tool_dir}/student/list.cpp ${tool_dir}/standing/measured_hint.cpp ${tool_dir}/standing/next_rung.cpp
  ${tool_dir}/catalogue/old_names.cpp ${tool_dir}/options.cpp ${tool_dir}/judging/peers.cpp ${tool_dir}/machine/placement.cpp
  ${tool_dir}/judging/plan_file.cpp ${tool_dir}/student/predict.cpp ${tool_dir}/standing/predictions.cpp
  ${tool_dir}/judging/private_tests.cpp ${tool_dir}/judging/problem_file.cpp ${PROJECT_SOURCE_DIR}/common/base/process/process.cpp ${tool_dir}/program/program.cpp
  ${tool_dir}/program/program_build.cpp ${tool_dir}/program/program_end.cpp ${tool_dir}/program/program_ninja.cpp
  ${tool_dir}/program/program_run.cpp ${tool_dir}/standing/progress.cpp ${tool_dir}/build/recipe.cpp ${tool_dir}/judging/records.cpp
  ${tool_dir}/student/reset.cpp ${tool_dir}/student/start.cpp ${tool_dir}/student/task_places.cpp ${tool_dir}/core/terminal.cpp ${tool_dir}/machine/device_limits.cpp
  ${tool_dir}/build/toolchain.cpp ${tool_dir}/core/unified_diff.cpp
  ${tool_dir}/core/verb_options.cpp ${tool_dir}/core/job_queue.cpp ${tool_dir}/build/mutant_build.cpp ${tool_dir}/build/mutant_ninja.cpp
  ${tool_dir}/judging/phases.cpp ${tool_dir}/judging/phase_lanes.cpp ${tool_dir}/build/submission_build.cpp ${tool_dir}/core/build_lock.cpp
  ${tool_dir}/build/source_excerpt.cpp ${tool_dir}/judging/missed_text.cpp ${tool_dir}/catalogue/typed_names.cpp
  ${tool_dir}/program/program_input.cpp)
target_link_libraries(ladder-check-core PUBLIC ladder-cut ladder-toml ladder-course-view ladder-digest ladder-results ladder-trace ladder-machine CLI11::CLI11)
target_link_libraries(ladder-machine INTERFACE ladder-check-core)  # it starts its probes with the tool's processes
ladder_together(ladder-check-core 32)

# The other verbs of students: numbers, pages, what is handed in.
set(tool_parts ladder-results ladder-machine ladder-check-core)
set(tool_programs ladder-check)
if(TARGET ladder-intake)
  add_library(ladder-student-core STATIC EXCLUDE_FROM_ALL
    ${tool_dir}/student/bench.cpp ${tool_dir}/student/doctor.cpp ${tool_dir}/student/doctor_report.cpp
    ${tool_dir}/handout/handout_reader.cpp ${tool_dir}/watch/keys.cpp ${tool_dir}/student/profile.cpp
    ${tool_dir}/student/profile_view.cpp ${tool_dir}/student/report.cpp ${tool_dir}/student/run.cpp ${tool_dir}/watch/saved_files.cpp
    ${tool_dir}/student_verbs.cpp ${tool_dir}/student/submit.cpp
    ${tool_dir}/student/submit_package.cpp ${tool_dir}/student/update.cpp ${tool_dir}/watch/watch.cpp
    ${tool_dir}/watch/watch_files.cpp ${tool_dir}/watch/watch_step.cpp)
  target_link_libraries(ladder-student-core PUBLIC ladder-check-core ladder-intake ladder-figures)
  ladder_together(ladder-student-core 20)
  list(APPEND tool_parts ladder-figures ladder-student-core)
  list(APPEND tool_programs ladder-student)
endif()

# Those of people who teach. A handout has neither these nor the next.
if(TARGET ladder-course AND EXISTS ${tool_dir}/class_verbs.cpp)
  add_library(ladder-class-core STATIC EXCLUDE_FROM_ALL
    ${tool_dir}/build/prebuild.cpp ${tool_dir}/class_verbs.cpp ${tool_dir}/course/calibrate.cpp
    ${tool_dir}/course/course_new.cpp ${tool_dir}/course/course_purge.cpp ${tool_dir}/course/course_rungs.cpp
    ${tool_dir}/course/course_trial.cpp ${tool_dir}/course/course_zip.cpp ${tool_dir}/course/handout_verbs.cpp
    ${tool_dir}/exam/code_mutations.cpp ${tool_dir}/exam/exam.cpp ${tool_dir}/exam/exam_bank.cpp ${tool_dir}/exam/exam_pages.cpp
    ${tool_dir}/exam/exam_run.cpp ${tool_dir}/exam/similarity.cpp ${tool_dir}/exam/similarity_runs.cpp
    ${tool_dir}/exam/viva.cpp ${tool_dir}/grading/course_verb.cpp ${tool_dir}/grading/equal_sources.cpp
    ${tool_dir}/grading/grade.cpp ${tool_dir}/grading/grade_course.cpp ${tool_dir}/grading/export/grade_export.cpp
    ${tool_dir}/grading/grade_final.cpp ${tool_dir}/grading/grade_gradescope.cpp ${tool_dir}/grading/grade_handed.cpp
    ${tool_dir}/grading/submission/grade_intake.cpp ${tool_dir}/grading/grade_lanes.cpp ${tool_dir}/grading/export/grade_marks.cpp
    ${tool_dir}/grading/grade_merge.cpp ${tool_dir}/grading/submission/grade_one.cpp ${tool_dir}/grading/submission/grade_parts.cpp
    ${tool_dir}/grading/grade_options.cpp ${tool_dir}/grading/grade_place.cpp ${tool_dir}/grading/export/grade_platforms.cpp ${tool_dir}/grading/export/grade_publish.cpp
    ${tool_dir}/grading/submission/grade_recipes.cpp ${tool_dir}/grading/grade_store.cpp ${tool_dir}/grading/grade_summary.cpp
    ${tool_dir}/grading/submission/grade_symbols.cpp ${tool_dir}/grading/grade_uids.cpp ${tool_dir}/grading/gradescope.cpp
    ${tool_dir}/grading/image.cpp ${tool_dir}/grading/submission/judge_again.cpp ${tool_dir}/grading/submission/regrade_changes.cpp
    ${tool_dir}/grading/submission/step_evidence.cpp ${tool_dir}/handout/handout.cpp ${tool_dir}/handout/handout_lesson.cpp
    ${tool_dir}/handout/insertions.cpp ${tool_dir}/review/amend.cpp ${tool_dir}/review/editor.cpp ${tool_dir}/review/open.cpp
    ${tool_dir}/review/publish_private.cpp ${tool_dir}/review/regrade.cpp ${tool_dir}/review/review.cpp
    ${tool_dir}/review/review_items.cpp ${tool_dir}/review/review_questions.cpp ${tool_dir}/review/review_source.cpp)
  target_link_libraries(ladder-class-core PUBLIC ladder-student-core ladder-course ladder-grade ladder-grade-pages)
  ladder_together(ladder-class-core 30)
  list(APPEND tool_parts ladder-grade-pages ladder-class-core)
  list(APPEND tool_programs ladder-class)
endif()

# Those of people who work on this repository: all verbs.
if(TARGET ladder-class-core AND EXISTS ${tool_dir}/dev_verbs.cpp)
  add_library(ladder-dev-core STATIC EXCLUDE_FROM_ALL
    ${tool_dir}/catalogue/todos.cpp ${tool_dir}/dev_verbs.cpp ${tool_dir}/maintain/added_lines.cpp ${tool_dir}/maintain/checks/approved_outputs.cpp
    ${tool_dir}/maintain/checks/attacks.cpp ${tool_dir}/maintain/checks/attempts.cpp ${tool_dir}/maintain/costs.cpp
    ${tool_dir}/maintain/docs.cpp ${tool_dir}/maintain/checks/english.cpp ${tool_dir}/maintain/checks/expected_result.cpp ${tool_dir}/maintain/docs_pages.cpp ${tool_dir}/maintain/checks/format.cpp ${tool_dir}/maintain/checks/handout_check.cpp ${tool_dir}/maintain/checks/result_borders.cpp
    ${tool_dir}/maintain/hardware.cpp ${tool_dir}/maintain/hardware_findings.cpp ${tool_dir}/maintain/checks/mutant_words.cpp
    ${tool_dir}/maintain/named_solutions.cpp ${tool_dir}/maintain/new.cpp ${tool_dir}/maintain/reproduce.cpp
    ${tool_dir}/maintain/convert_results.cpp ${tool_dir}/maintain/results.cpp ${tool_dir}/maintain/testing/test_summary.cpp ${tool_dir}/maintain/testing/test.cpp
    ${tool_dir}/maintain/testing/test_attacks.cpp ${tool_dir}/maintain/testing/test_options.cpp ${tool_dir}/maintain/testing/test_nvcc.cpp ${tool_dir}/maintain/testing/test_plans.cpp
    ${tool_dir}/maintain/testing/test_docs.cpp ${tool_dir}/maintain/testing/test_programs.cpp ${tool_dir}/maintain/testing/test_scripts.cpp ${tool_dir}/maintain/testing/test_store.cpp ${tool_dir}/maintain/testing/times.cpp ${tool_dir}/maintain/checks/tree_checks.cpp ${tool_dir}/maintain/checks/gains.cpp
    ${tool_dir}/validate/sanitizer_log.cpp ${tool_dir}/validate/suite_counts.cpp ${tool_dir}/validate/suite_driver.cpp
    ${tool_dir}/validate/suite_file.cpp ${tool_dir}/validate/suite_sanitizer.cpp ${tool_dir}/validate/validate.cpp)
  target_link_libraries(ladder-dev-core PUBLIC ladder-class-core ladder-report)
  ladder_together(ladder-dev-core 21)
  list(APPEND tool_parts ladder-report ladder-dev-core)
  list(APPEND tool_programs ladder-dev)
endif()

ladder_headers(ladder-results <nlohmann/json.hpp> <fmt/format.h> <filesystem> <functional> <map> <string> <vector>)
# A tool waits for other programs: it is made to be built soon, not to run fast.
foreach(part ${tool_parts})
  target_compile_options(${part} PRIVATE -O0)
  ladder_sanitize(${part})
  ladder_built_soon(${part})
  if(NOT part STREQUAL ladder-results)
    ladder_headers_of(ladder-results ${part})
  endif()
endforeach()
# What is below them has the same flags.
foreach(part ladder-rungs ladder-toml ladder-model ladder-trace ladder-intake ladder-grade ladder-course-view ladder-course)
  if(TARGET ${part})
    ladder_headers_of(ladder-results ${part})
  endif()
endforeach()
ladder_together(ladder-machine 4)

foreach(program ${tool_programs})
  string(REGEX REPLACE "^ladder-(.*)$" "\\1_verbs" verbs ${program})
  add_executable(${program} EXCLUDE_FROM_ALL ${tool_dir}/main.cpp)
  target_compile_definitions(${program} PRIVATE LADDER_VERBS=${verbs})
  target_link_libraries(${program} PRIVATE ${program}-core)
  ladder_sanitize(${program})
  ladder_built_soon(${program})
endforeach()
ladder_sanitize(ladder-cut cut)
