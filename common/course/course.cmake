# The course around the grades: the course file, deadlines. Knows neither the tool nor the judge.

find_path(LADDER_TOML_INCLUDE toml++/toml.h)
if(NOT LADDER_TOML_INCLUDE)
  message(FATAL_ERROR "toml++/toml.h was not found (package libtomlplusplus-dev)")
endif()
set(course_dir ${PROJECT_SOURCE_DIR}/common/course)
add_library(ladder-course STATIC EXCLUDE_FROM_ALL
  ${course_dir}/amounts.cpp ${course_dir}/assignment.cpp ${course_dir}/course_file.cpp ${course_dir}/deadlines.cpp
  ${course_dir}/extensions.cpp ${course_dir}/table.cpp ${course_dir}/times.cpp ${course_dir}/toml_reader.cpp
  ${course_dir}/time_zone.cpp)
target_include_directories(ladder-course SYSTEM PRIVATE ${LADDER_TOML_INCLUDE})
target_link_libraries(ladder-course PUBLIC ladder-grade PRIVATE fmt::fmt)
target_compile_options(ladder-course PRIVATE -O0)
ladder_together(ladder-course 8)
ladder_sanitize(ladder-course)
