# The tool: the program behind ./ladder. Links no lesson.

find_package(CLI11 REQUIRED)
set(tool_dir ${PROJECT_SOURCE_DIR}/common/tool)

add_library(ladder-cut STATIC EXCLUDE_FROM_ALL ${tool_dir}/cut.cpp ${tool_dir}/code_lines.cpp ${tool_dir}/handout_skeleton.cpp ${tool_dir}/mutant_unit.cpp)
target_link_libraries(ladder-cut PUBLIC ladder-options)
add_executable(cut EXCLUDE_FROM_ALL ${tool_dir}/cut_main.cpp)
target_link_libraries(cut PRIVATE ladder-cut)
foreach(part ladder-cut cut)
  target_compile_options(${part} PRIVATE -O1)
endforeach()

add_library(ladder-tool-core STATIC EXCLUDE_FROM_ALL
  ${tool_dir}/added_lines.cpp ${tool_dir}/amend.cpp ${tool_dir}/attacks.cpp ${tool_dir}/attempts.cpp
  ${tool_dir}/build.cpp ${tool_dir}/calibrate.cpp ${tool_dir}/catalogue.cpp ${tool_dir}/check.cpp
  ${tool_dir}/check_program.cpp ${tool_dir}/compiler_output.cpp ${tool_dir}/context.cpp
  ${tool_dir}/costs.cpp ${tool_dir}/docs.cpp ${tool_dir}/docs_pages.cpp ${tool_dir}/handout_check.cpp ${tool_dir}/course_new.cpp
  ${tool_dir}/course_rungs.cpp ${tool_dir}/course_trial.cpp ${tool_dir}/course_verb.cpp ${tool_dir}/course_zip.cpp
  ${tool_dir}/edits.cpp ${tool_dir}/exam.cpp ${tool_dir}/exam_bank.cpp ${tool_dir}/exam_pages.cpp
  ${tool_dir}/exam_run.cpp ${tool_dir}/files.cpp ${tool_dir}/finding_text.cpp
  ${tool_dir}/gdb.cpp ${tool_dir}/grade.cpp ${tool_dir}/grade_course.cpp ${tool_dir}/grade_export.cpp
  ${tool_dir}/grade_final.cpp ${tool_dir}/grade_gradescope.cpp ${tool_dir}/grade_handed.cpp
  ${tool_dir}/grade_lanes.cpp ${tool_dir}/grade_marks.cpp ${tool_dir}/grade_merge.cpp
  ${tool_dir}/grade_one.cpp ${tool_dir}/grade_parts.cpp ${tool_dir}/grade_place.cpp
  ${tool_dir}/grade_platforms.cpp ${tool_dir}/grade_store.cpp ${tool_dir}/grade_summary.cpp
  ${tool_dir}/grade_symbols.cpp ${tool_dir}/grade_uids.cpp ${tool_dir}/gradescope.cpp
  ${tool_dir}/handout.cpp ${tool_dir}/handout_lesson.cpp ${tool_dir}/handout_verbs.cpp
  ${tool_dir}/hardware.cpp ${tool_dir}/hardware_findings.cpp ${tool_dir}/harness.cpp ${tool_dir}/hint.cpp
  ${tool_dir}/keys.cpp ${tool_dir}/saved_files.cpp ${tool_dir}/watch.cpp ${tool_dir}/watch_files.cpp ${tool_dir}/watch_step.cpp
  ${tool_dir}/image.cpp ${tool_dir}/insertions.cpp ${tool_dir}/job_queue.cpp ${tool_dir}/judge_again.cpp
  ${tool_dir}/judge_names.cpp ${tool_dir}/judging.cpp ${tool_dir}/lint.cpp ${tool_dir}/list.cpp
  ${tool_dir}/named_solutions.cpp ${tool_dir}/new.cpp ${tool_dir}/old_names.cpp ${tool_dir}/open.cpp
  ${tool_dir}/options.cpp ${tool_dir}/peers.cpp ${tool_dir}/placement.cpp ${tool_dir}/plan_file.cpp
  ${tool_dir}/prebuild.cpp ${tool_dir}/predict.cpp ${tool_dir}/predictions.cpp
  ${tool_dir}/private_tests.cpp ${tool_dir}/process.cpp ${tool_dir}/profile.cpp
  ${tool_dir}/profile_view.cpp ${tool_dir}/program.cpp ${tool_dir}/program_build.cpp
  ${tool_dir}/program_end.cpp ${tool_dir}/program_ninja.cpp ${tool_dir}/program_run.cpp
  ${tool_dir}/progress.cpp ${tool_dir}/recipe.cpp ${tool_dir}/records.cpp ${tool_dir}/regrade.cpp ${tool_dir}/regrade_changes.cpp
  ${tool_dir}/report.cpp ${tool_dir}/reproduce.cpp ${tool_dir}/reset.cpp ${tool_dir}/results.cpp ${tool_dir}/review.cpp
  ${tool_dir}/review_items.cpp ${tool_dir}/review_source.cpp ${tool_dir}/run.cpp ${tool_dir}/similarity.cpp
  ${tool_dir}/similarity_runs.cpp ${tool_dir}/submission_build.cpp ${tool_dir}/tally.cpp
  ${tool_dir}/terminal.cpp ${tool_dir}/test.cpp ${tool_dir}/test_attacks.cpp ${tool_dir}/test_plans.cpp
  ${tool_dir}/test_programs.cpp ${tool_dir}/test_store.cpp ${tool_dir}/this_device.cpp ${tool_dir}/times.cpp ${tool_dir}/todos.cpp
  ${tool_dir}/toolchain.cpp ${tool_dir}/tree_checks.cpp ${tool_dir}/update.cpp
  ${tool_dir}/verb_options.cpp ${tool_dir}/verbs.cpp ${tool_dir}/viva.cpp
  ${tool_dir}/review_questions.cpp ${tool_dir}/course_purge.cpp
  ${tool_dir}/kept.cpp ${tool_dir}/measured_hint.cpp ${tool_dir}/next_rung.cpp ${tool_dir}/course_view.cpp
  ${tool_dir}/diff.cpp ${tool_dir}/start.cpp ${tool_dir}/doctor_report.cpp
  ${tool_dir}/assignment.cpp ${tool_dir}/bench.cpp ${tool_dir}/submit.cpp ${tool_dir}/submit_package.cpp ${tool_dir}/grade_publish.cpp ${tool_dir}/publish_private.cpp
  ${tool_dir}/mutant_build.cpp ${tool_dir}/mutant_ninja.cpp ${tool_dir}/phases.cpp ${tool_dir}/phase_lanes.cpp ${tool_dir}/built_steps.cpp ${tool_dir}/grade_recipes.cpp)
target_link_libraries(ladder-tool-core PUBLIC ladder-cut ladder-course ladder-grade ladder-report ladder-trace ladder-machine CLI11::CLI11)
target_link_libraries(ladder-machine PUBLIC ladder-report)
target_link_libraries(ladder-machine INTERFACE ladder-tool-core)  # it starts its probes with the tool's processes
# The tool waits for other programs: it is made to be built soon, not to run fast.
foreach(part ladder-report ladder-machine ladder-tool-core)
  target_compile_options(${part} PRIVATE -O0)
endforeach()
ladder_together(ladder-tool-core 14)
ladder_together(ladder-machine 4)
target_precompile_headers(ladder-report PRIVATE <nlohmann/json.hpp> <fmt/format.h> <filesystem> <functional> <map> <string> <vector>)
target_precompile_headers(ladder-machine REUSE_FROM ladder-report)
target_precompile_headers(ladder-tool-core REUSE_FROM ladder-report)

add_executable(ladder-tool EXCLUDE_FROM_ALL ${tool_dir}/main.cpp)
target_link_libraries(ladder-tool PRIVATE ladder-tool-core)
ladder_sanitize(ladder-cut cut ladder-machine ladder-tool-core ladder-tool)
ladder_built_soon(ladder-machine ladder-tool-core ladder-tool)
