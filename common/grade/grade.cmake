# Grading: what is taken of a submission, the class key, records. Knows neither the tool nor the judge.

find_package(LibArchive REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
set(grade_dir ${PROJECT_SOURCE_DIR}/common/grade)
add_library(ladder-grade STATIC EXCLUDE_FROM_ALL
  ${grade_dir}/archive.cpp ${grade_dir}/bounds.cpp ${grade_dir}/contents.cpp ${grade_dir}/csv.cpp ${grade_dir}/groups.cpp
  ${grade_dir}/intake.cpp ${grade_dir}/key.cpp ${grade_dir}/names.cpp ${grade_dir}/package.cpp
  ${grade_dir}/record.cpp ${grade_dir}/record_file.cpp ${grade_dir}/record_view.cpp
  ${grade_dir}/runs.cpp ${grade_dir}/scan.cpp ${grade_dir}/sha256.cpp ${grade_dir}/symbols.cpp ${grade_dir}/text.cpp ${grade_dir}/twice.cpp
  ${grade_dir}/zip.cpp ${grade_dir}/questions.cpp)
target_link_libraries(ladder-grade PUBLIC ladder-options nlohmann_json::nlohmann_json
  PRIVATE fmt::fmt LibArchive::LibArchive ladder-sodium)
target_compile_options(ladder-grade PRIVATE -O1)
ladder_together(ladder-grade 5)
ladder_sanitize(ladder-grade)
ladder_built_soon(ladder-grade)
