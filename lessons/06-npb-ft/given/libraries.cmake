# What this lesson shares with other NAS Parallel Benchmarks.

include(${PROJECT_SOURCE_DIR}/common/npb/npb.cmake)
set(lesson_libraries_judge ladder-npb)

# The peer: cuFFT, on a GPU.
ladder_cuda_library(LADDER_CUFFT cufft)
if(LADDER_CUFFT)
  set(lesson_peer_libraries_cuda ${LADDER_CUFFT})
endif()
set(lesson_peers_of_gpu cufft)
