# Grading: what is taken of a submission, the class key, records. Knows neither the tool nor the judge.

find_package(LibArchive REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
# The name that pkg-config's module would give it; found without, since a fresh machine has no pkg-config.
if(NOT TARGET PkgConfig::SODIUM)
  find_path(LADDER_SODIUM_INCLUDE sodium.h)
  find_library(LADDER_SODIUM NAMES libsodium.a sodium)
  if(NOT LADDER_SODIUM_INCLUDE OR NOT LADDER_SODIUM)
    message(FATAL_ERROR "sodium.h or libsodium was not found (package libsodium-dev)")
  endif()
  add_library(PkgConfig::SODIUM UNKNOWN IMPORTED)
  set_target_properties(PkgConfig::SODIUM PROPERTIES IMPORTED_LOCATION ${LADDER_SODIUM}
    INTERFACE_INCLUDE_DIRECTORIES ${LADDER_SODIUM_INCLUDE})
endif()

set(grade_dir ${PROJECT_SOURCE_DIR}/common/grade)
add_library(ladder-grade STATIC EXCLUDE_FROM_ALL
  ${grade_dir}/archive.cpp ${grade_dir}/contents.cpp ${grade_dir}/csv.cpp ${grade_dir}/groups.cpp
  ${grade_dir}/intake.cpp ${grade_dir}/key.cpp ${grade_dir}/names.cpp ${grade_dir}/package.cpp
  ${grade_dir}/record.cpp ${grade_dir}/record_file.cpp ${grade_dir}/record_view.cpp
  ${grade_dir}/scan.cpp ${grade_dir}/symbols.cpp ${grade_dir}/text.cpp)
target_link_libraries(ladder-grade PUBLIC ladder-options nlohmann_json::nlohmann_json
  PRIVATE fmt::fmt LibArchive::LibArchive PkgConfig::SODIUM)
target_compile_options(ladder-grade PRIVATE -O1)
ladder_together(ladder-grade 5)
ladder_sanitize(ladder-grade)
