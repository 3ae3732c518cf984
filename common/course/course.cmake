# What surrounds grading: rosters, what platforms hand in and take back. Knows neither the tool nor the judge.

find_package(yaml-cpp REQUIRED)
set(yaml yaml-cpp)
if(TARGET yaml-cpp::yaml-cpp)  # its name from 0.8 on
  set(yaml yaml-cpp::yaml-cpp)
endif()
set(course_dir ${PROJECT_SOURCE_DIR}/common/course)
add_library(ladder-course STATIC EXCLUDE_FROM_ALL
  ${course_dir}/canvas_files.cpp ${course_dir}/feedback_zip.cpp ${course_dir}/folder_entries.cpp
  ${course_dir}/gradebook.cpp ${course_dir}/gradescope_export.cpp ${course_dir}/handed.cpp
  ${course_dir}/handed_file.cpp ${course_dir}/lookup.cpp ${course_dir}/moodle_folders.cpp
  ${course_dir}/results_json.cpp ${course_dir}/roster.cpp ${course_dir}/table.cpp ${course_dir}/times.cpp)
target_link_libraries(ladder-course PUBLIC ladder-grade PRIVATE fmt::fmt LibArchive::LibArchive ${yaml})
target_compile_options(ladder-course PRIVATE -O1)
ladder_together(ladder-course 5)
ladder_sanitize(ladder-course)
