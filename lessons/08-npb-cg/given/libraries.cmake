# What this lesson shares with other NAS Parallel Benchmarks.

include(${PROJECT_SOURCE_DIR}/common/npb/npb.cmake)
set(lesson_libraries_judge ladder-npb)

# The peer: cuSPARSE, on a GPU.
ladder_cuda_library(LADDER_CUSPARSE cusparse)
if(LADDER_CUSPARSE)
  set(lesson_peer_libraries_cuda ${LADDER_CUSPARSE})
endif()
set(lesson_peers_of_gpu cusparse)
