# Tables, figures and the results schema.

find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
set(report_dir ${PROJECT_SOURCE_DIR}/common/report)

# What every verb needs of it.
add_library(ladder-results STATIC EXCLUDE_FROM_ALL ${report_dir}/results.cpp ${report_dir}/shown_verdict.cpp ${report_dir}/table.cpp
  ${report_dir}/test_part.cpp)
target_link_libraries(ladder-results PUBLIC ladder-trace ladder-options fmt::fmt nlohmann_json::nlohmann_json)

# What students see: tables and figures of their own runs.
add_library(ladder-figures STATIC EXCLUDE_FROM_ALL
  ${report_dir}/figures.cpp ${report_dir}/label_places.cpp ${report_dir}/ladder_dots.cpp
  ${report_dir}/layers.cpp ${report_dir}/ladder_figure.cpp ${report_dir}/lesson_table.cpp
  ${report_dir}/performance.cpp ${report_dir}/page_text.cpp ${report_dir}/stored.cpp
  ${report_dir}/svg.cpp ${report_dir}/html.cpp ${report_dir}/grade_figures.cpp
  ${report_dir}/timeline_figure.cpp ${report_dir}/roofline_figure.cpp ${report_dir}/profile.cpp
  ${report_dir}/profile_text.cpp ${report_dir}/profile_page.cpp ${report_dir}/profile_json.cpp
  ${report_dir}/own_report.cpp ${report_dir}/profile_limit.cpp ${report_dir}/time_points.cpp
  ${report_dir}/bank_figure.cpp ${report_dir}/warp_figure.cpp ${report_dir}/waves_figure.cpp)
target_link_libraries(ladder-figures PUBLIC ladder-results)
ladder_together(ladder-figures 10)

# The pages of this repository, stored runs, grades.
add_library(ladder-report STATIC EXCLUDE_FROM_ALL
  ${report_dir}/stacked_figure.cpp ${report_dir}/redrawn_figures.cpp ${report_dir}/curves_figure.cpp
  ${report_dir}/heat_figure.cpp ${report_dir}/spy_figure.cpp ${report_dir}/reproduction_figures.cpp
  ${report_dir}/page_parts.cpp ${report_dir}/page_tables.cpp ${report_dir}/page_measured.cpp
  ${report_dir}/comparison.cpp ${report_dir}/hardware_comparison.cpp
  ${report_dir}/page_hardware_comparison.cpp ${report_dir}/page_costs.cpp
  ${report_dir}/page_gpu_times.cpp ${report_dir}/page_leaderboard.cpp ${report_dir}/page_counters.cpp
  ${report_dir}/top_profile.cpp ${report_dir}/page_reproduce.cpp ${report_dir}/page_form.cpp
  ${report_dir}/page_on_gpu.cpp ${report_dir}/page_values.cpp ${report_dir}/pages.cpp
  ${report_dir}/tracks.cpp ${report_dir}/code_html.cpp ${report_dir}/site_text.cpp
  ${report_dir}/site_check.cpp ${report_dir}/grade_overview.cpp ${report_dir}/grade_pages.cpp
  ${report_dir}/machine_figures.cpp ${report_dir}/memory_figure.cpp ${report_dir}/page_machine.cpp
  ${report_dir}/page_roofline.cpp ${report_dir}/page_syllabus.cpp
  ${report_dir}/page_tests.cpp ${report_dir}/test_promises.cpp ${report_dir}/page_suites.cpp)
target_link_libraries(ladder-report PUBLIC ladder-figures)
ladder_together(ladder-report 10)
# Each figure has its own left, right, top and small.
file(GLOB figures CONFIGURE_DEPENDS ${report_dir}/*figure*.cpp ${report_dir}/ladder_dots.cpp)
set_source_files_properties(${figures} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
