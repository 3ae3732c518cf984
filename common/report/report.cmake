# Tables, figures and the results schema.

find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
set(report_dir ${PROJECT_SOURCE_DIR}/common/report)

add_library(ladder-report STATIC EXCLUDE_FROM_ALL
  ${report_dir}/figures.cpp ${report_dir}/lesson_table.cpp ${report_dir}/results.cpp ${report_dir}/table.cpp)
target_link_libraries(ladder-report PUBLIC ladder-options fmt::fmt nlohmann_json::nlohmann_json)
