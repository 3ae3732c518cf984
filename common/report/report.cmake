# Tables, figures and the results schema.

find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
set(report_dir ${PROJECT_SOURCE_DIR}/common/report)

# What every verb needs of it.
add_library(ladder-results STATIC EXCLUDE_FROM_ALL ${report_dir}/results/results.cpp ${report_dir}/results/predicted_number.cpp ${report_dir}/results/shown_verdict.cpp ${report_dir}/text/table.cpp
  ${report_dir}/results/test_part.cpp ${report_dir}/results/stored_text.cpp)
target_link_libraries(ladder-results PUBLIC ladder-model ladder-trace ladder-options fmt::fmt nlohmann_json::nlohmann_json)

# What students see: tables and figures of their own runs.
add_library(ladder-figures STATIC EXCLUDE_FROM_ALL
  ${report_dir}/figures/figures.cpp ${report_dir}/figures/label_places.cpp ${report_dir}/figures/ladder_steps_figure.cpp
  ${report_dir}/figures/ladder_figure.cpp ${report_dir}/terminal/lesson_table.cpp
  ${report_dir}/results/performance.cpp ${report_dir}/results/step_view.cpp ${report_dir}/results/page_text.cpp ${report_dir}/results/result_store.cpp
  ${report_dir}/figures/svg.cpp ${report_dir}/html/html.cpp ${report_dir}/figures/grade_figures.cpp
  ${report_dir}/figures/timeline_figure.cpp ${report_dir}/figures/roofline_figure.cpp ${report_dir}/results/profile.cpp
  ${report_dir}/terminal/profile_text.cpp ${report_dir}/html/profile_page.cpp ${report_dir}/results/profile_json.cpp
  ${report_dir}/html/student_report.cpp ${report_dir}/results/profile_limit.cpp ${report_dir}/figures/time_points.cpp
  ${report_dir}/figures/bank_figure.cpp ${report_dir}/figures/warp_figure.cpp ${report_dir}/figures/waves_figure.cpp)
target_link_libraries(ladder-figures PUBLIC ladder-results)
ladder_together(ladder-figures 20)

# Pages of grades: of ladder-class.
if(EXISTS ${report_dir}/html/grade_pages.cpp)
  add_library(ladder-grade-pages STATIC EXCLUDE_FROM_ALL
    ${report_dir}/html/grade_overview.cpp ${report_dir}/html/grade_pages.cpp)
  target_link_libraries(ladder-grade-pages PUBLIC ladder-figures)
endif()

# Each figure has its own left, right, top and small.
file(GLOB figures CONFIGURE_DEPENDS ${report_dir}/figures/*figure*.cpp)
set_source_files_properties(${figures} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
