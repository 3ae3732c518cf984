# What the lessons on the NAS Parallel Benchmarks share. A lesson asks for it in its given/libraries.cmake.

include_guard(GLOBAL)
add_library(ladder-npb STATIC EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/benchmark.cpp ${CMAKE_CURRENT_LIST_DIR}/seed.cpp)
target_compile_options(ladder-npb PRIVATE -O1)
target_link_libraries(ladder-npb PUBLIC ladder-judge)
