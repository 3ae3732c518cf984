# What surrounds grading: the course file, deadlines, rosters, what platforms hand in and take back. Knows neither the tool
# nor the judge.

set(course_dir ${PROJECT_SOURCE_DIR}/common/course)

# What a handout tells its students of a course: no file of anybody is read.
add_library(ladder-course-view STATIC EXCLUDE_FROM_ALL
  ${course_dir}/durations.cpp ${course_dir}/assignment_rungs.cpp ${course_dir}/questions.cpp ${course_dir}/student_course.cpp ${course_dir}/time_zone.cpp
  ${course_dir}/times.cpp)
target_link_libraries(ladder-course-view PUBLIC ladder-options nlohmann_json::nlohmann_json PRIVATE fmt::fmt)
target_compile_options(ladder-course-view PRIVATE -O0)
ladder_together(ladder-course-view 6)
ladder_sanitize(ladder-course-view)
ladder_built_soon(ladder-course-view)

if(NOT EXISTS ${course_dir}/course_file.cpp)  # in no handout
  return()
endif()
find_package(yaml-cpp QUIET)
set(yaml yaml-cpp)
if(TARGET yaml-cpp::yaml-cpp)  # its name from 0.8 on
  set(yaml yaml-cpp::yaml-cpp)
endif()
if(NOT yaml-cpp_FOUND OR NOT LibArchive_FOUND)
  message(STATUS "yaml-cpp or libarchive was not found (packages libyaml-cpp-dev and libarchive-dev): ladder-class, the "
                 "program of those who teach, cannot be built")
  return()
endif()
add_library(ladder-course STATIC EXCLUDE_FROM_ALL
  ${course_dir}/platforms/canvas_files.cpp ${course_dir}/platforms/feedback_zip.cpp ${course_dir}/platforms/folder_entries.cpp
  ${course_dir}/platforms/gradebook.cpp ${course_dir}/platforms/gradescope_export.cpp ${course_dir}/platforms/submission_import.cpp
  ${course_dir}/platforms/submission_import_file.cpp ${course_dir}/platforms/lookup.cpp ${course_dir}/platforms/moodle_folders.cpp
  ${course_dir}/platforms/results_json.cpp ${course_dir}/platforms/roster.cpp ${course_dir}/platforms/table.cpp
  ${course_dir}/assignment.cpp ${course_dir}/course_file.cpp ${course_dir}/deadlines.cpp
  ${course_dir}/extensions.cpp ${course_dir}/marks.cpp
  ${course_dir}/published.cpp ${course_dir}/summary.cpp)
target_link_libraries(ladder-course PUBLIC ladder-course-view ladder-grade ladder-toml PRIVATE fmt::fmt LibArchive::LibArchive ${yaml})
target_compile_options(ladder-course PRIVATE -O0)
ladder_together(ladder-course 20)
ladder_sanitize(ladder-course)
ladder_built_soon(ladder-course)
