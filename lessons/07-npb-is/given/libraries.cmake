# What this lesson shares with other NAS Parallel Benchmarks.

include(${PROJECT_SOURCE_DIR}/common/npb/npb.cmake)
set(lesson_libraries_judge ladder-npb)
set(lesson_peers_of_gpu cub)  # which nvcc brings along
