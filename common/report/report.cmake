# Tables, figures and the results schema.

find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
set(report_dir ${PROJECT_SOURCE_DIR}/common/report)

# What every verb needs of it.
add_library(ladder-results STATIC EXCLUDE_FROM_ALL ${report_dir}/results/results.cpp ${report_dir}/results/shown_verdict.cpp ${report_dir}/text/table.cpp
  ${report_dir}/results/test_part.cpp)
target_link_libraries(ladder-results PUBLIC ladder-trace ladder-options fmt::fmt nlohmann_json::nlohmann_json)

# What students see: tables and figures of their own runs.
add_library(ladder-figures STATIC EXCLUDE_FROM_ALL
  ${report_dir}/figures/figures.cpp ${report_dir}/figures/label_places.cpp ${report_dir}/figures/ladder_dots.cpp
  ${PROJECT_SOURCE_DIR}/common/sitegen/layers.cpp ${report_dir}/figures/ladder_figure.cpp ${report_dir}/terminal/lesson_table.cpp
  ${report_dir}/results/performance.cpp ${report_dir}/results/page_text.cpp ${report_dir}/results/stored.cpp
  ${report_dir}/figures/svg.cpp ${report_dir}/html/html.cpp ${report_dir}/figures/grade_figures.cpp
  ${report_dir}/figures/timeline_figure.cpp ${report_dir}/figures/roofline_figure.cpp ${report_dir}/results/profile.cpp
  ${report_dir}/terminal/profile_text.cpp ${report_dir}/html/profile_page.cpp ${report_dir}/results/profile_json.cpp
  ${report_dir}/html/own_report.cpp ${report_dir}/results/profile_limit.cpp ${report_dir}/figures/time_points.cpp
  ${report_dir}/figures/bank_figure.cpp ${report_dir}/figures/warp_figure.cpp ${report_dir}/figures/waves_figure.cpp)
target_link_libraries(ladder-figures PUBLIC ladder-results)
ladder_together(ladder-figures 10)

# The pages of this repository, stored runs, grades.
add_library(ladder-report STATIC EXCLUDE_FROM_ALL
  ${report_dir}/figures/stacked_figure.cpp ${PROJECT_SOURCE_DIR}/common/sitegen/redrawn_figures.cpp ${report_dir}/figures/curves_figure.cpp
  ${report_dir}/figures/heat_figure.cpp ${report_dir}/figures/spy_figure.cpp ${report_dir}/figures/reproduction_figures.cpp
  ${PROJECT_SOURCE_DIR}/common/sitegen/page_parts.cpp ${PROJECT_SOURCE_DIR}/common/sitegen/page_tables.cpp ${PROJECT_SOURCE_DIR}/common/sitegen/page_measured.cpp
  ${report_dir}/results/comparison.cpp ${report_dir}/results/hardware_comparison.cpp
  ${PROJECT_SOURCE_DIR}/common/sitegen/page_hardware_comparison.cpp ${PROJECT_SOURCE_DIR}/common/sitegen/page_costs.cpp
  ${PROJECT_SOURCE_DIR}/common/sitegen/page_gpu_times.cpp ${PROJECT_SOURCE_DIR}/common/sitegen/page_leaderboard.cpp ${PROJECT_SOURCE_DIR}/common/sitegen/page_counters.cpp
  ${report_dir}/results/top_profile.cpp ${PROJECT_SOURCE_DIR}/common/sitegen/page_reproduce.cpp ${PROJECT_SOURCE_DIR}/common/sitegen/page_form.cpp
  ${PROJECT_SOURCE_DIR}/common/sitegen/page_on_gpu.cpp ${PROJECT_SOURCE_DIR}/common/sitegen/page_values.cpp ${PROJECT_SOURCE_DIR}/common/sitegen/pages.cpp
  ${PROJECT_SOURCE_DIR}/common/sitegen/tracks.cpp ${report_dir}/html/code_html.cpp ${PROJECT_SOURCE_DIR}/common/sitegen/site_text.cpp
  ${PROJECT_SOURCE_DIR}/common/sitegen/site_check.cpp ${report_dir}/html/grade_overview.cpp ${report_dir}/html/grade_pages.cpp
  ${report_dir}/figures/machine_figures.cpp ${report_dir}/figures/memory_figure.cpp ${PROJECT_SOURCE_DIR}/common/sitegen/page_machine.cpp
  ${PROJECT_SOURCE_DIR}/common/sitegen/page_roofline.cpp ${PROJECT_SOURCE_DIR}/common/sitegen/page_syllabus.cpp
  ${PROJECT_SOURCE_DIR}/common/sitegen/page_tests.cpp ${PROJECT_SOURCE_DIR}/common/sitegen/test_promises.cpp ${PROJECT_SOURCE_DIR}/common/sitegen/page_suites.cpp)
target_link_libraries(ladder-report PUBLIC ladder-figures)
ladder_together(ladder-report 10)
# Each figure has its own left, right, top and small.
file(GLOB figures CONFIGURE_DEPENDS ${report_dir}/figures/*figure*.cpp ${PROJECT_SOURCE_DIR}/common/sitegen/*figure*.cpp ${report_dir}/figures/ladder_dots.cpp)
set_source_files_properties(${figures} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
