# What the peers of this lesson link next to those of all lessons.

# cuSOLVER, on a GPU.
ladder_cuda_library(LADDER_CUSOLVER cusolver)
if(LADDER_CUSOLVER)
  set(lesson_peer_libraries_cuda ${LADDER_CUSOLVER})
endif()
set(lesson_peers_of_gpu cusolver)
