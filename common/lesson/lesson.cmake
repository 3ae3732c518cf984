# Lessons' tables: what a rung is asked for, from its rungs.toml to a judge. Knows neither the tool nor the judge.

set(lesson_dir ${PROJECT_SOURCE_DIR}/common/lesson)
find_path(LADDER_TOML_INCLUDE toml++/toml.h)
if(NOT LADDER_TOML_INCLUDE)
  message(FATAL_ERROR "toml++ was not found: it reads lessons/*/rungs.toml. apt-get install libtomlplusplus-dev")
endif()
add_library(ladder-rungs STATIC EXCLUDE_FROM_ALL ${lesson_dir}/rung.cpp)
target_link_libraries(ladder-rungs PUBLIC ladder-options nlohmann_json::nlohmann_json PRIVATE fmt::fmt)
# toml++ as headers: what includes them is compiled once, here. Debian's library of it refuses times without seconds.
add_library(ladder-toml STATIC EXCLUDE_FROM_ALL ${LADDER_BASE_DIR}/files/toml_entries.cpp ${lesson_dir}/rungs_file.cpp)
target_include_directories(ladder-toml SYSTEM PUBLIC ${LADDER_TOML_INCLUDE})
target_link_libraries(ladder-toml PUBLIC ladder-rungs PRIVATE fmt::fmt)
target_compile_options(ladder-rungs PRIVATE -O0)
target_compile_options(ladder-toml PRIVATE -O0)
ladder_together(ladder-toml 2)
ladder_sanitize(ladder-rungs ladder-toml)
ladder_built_soon(ladder-rungs ladder-toml)
