# Grading: what is taken of a submission, the class key, records. Knows neither the tool nor the judge.

find_package(LibArchive)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
set(grade_dir ${PROJECT_SOURCE_DIR}/common/grade)

# SHA-256, which every check uses.
add_library(ladder-digest STATIC EXCLUDE_FROM_ALL ${grade_dir}/sha256.cpp)
target_link_libraries(ladder-digest PUBLIC ladder-options PRIVATE ladder-sodium)
target_compile_options(ladder-digest PRIVATE -O1)
ladder_sanitize(ladder-digest)
if(NOT LibArchive_FOUND)
  message(STATUS "libarchive was not found (package libarchive-dev): only the program ladder-check can be built")
  return()
endif()

# What students hand in, packed and read: submit and update have it, too.
add_library(ladder-intake STATIC EXCLUDE_FROM_ALL
  ${grade_dir}/intake/archive.cpp ${grade_dir}/intake/contents.cpp ${grade_dir}/intake/intake.cpp ${grade_dir}/intake/names.cpp ${grade_dir}/intake/package.cpp ${grade_dir}/intake/scan.cpp
  ${grade_dir}/intake/source_encoding.cpp ${grade_dir}/intake/zip.cpp)
target_link_libraries(ladder-intake PUBLIC ladder-digest ladder-options nlohmann_json::nlohmann_json
  PRIVATE fmt::fmt LibArchive::LibArchive)
set(grade_parts ladder-intake)
if(EXISTS ${grade_dir}/record.cpp)  # in no handout
  add_library(ladder-grade STATIC EXCLUDE_FROM_ALL
    ${grade_dir}/bounds.cpp ${grade_dir}/csv.cpp ${grade_dir}/groups.cpp
    ${grade_dir}/key.cpp
    ${grade_dir}/record.cpp ${grade_dir}/record_file.cpp ${grade_dir}/record_view.cpp
    ${grade_dir}/retry_policy.cpp ${grade_dir}/evidence/symbols.cpp ${grade_dir}/repeatability.cpp
    ${grade_dir}/questions.cpp ${grade_dir}/evidence/known_names.cpp ${grade_dir}/evidence/source_tokens.cpp
    ${grade_dir}/evidence/source_words.cpp ${grade_dir}/evidence/hook_coverage.cpp)
  target_link_libraries(ladder-grade PUBLIC ladder-intake ladder-model ladder-options nlohmann_json::nlohmann_json
    PRIVATE fmt::fmt LibArchive::LibArchive ladder-sodium)
  list(APPEND grade_parts ladder-grade)
endif()
foreach(part ${grade_parts})
  target_compile_options(${part} PRIVATE -O0)
  ladder_together(${part} 20)
  ladder_sanitize(${part})
  ladder_built_soon(${part})
endforeach()
