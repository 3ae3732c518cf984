# What the peers of this lesson link next to those of all lessons.

# LAPACK's interface for row-major matrices; OpenBLAS computes. Where it is not installed, Eigen is the peer.
find_path(LADDER_LAPACKE_INCLUDE lapacke.h PATH_SUFFIXES openblas openblas-pthread)
find_library(LADDER_LAPACKE lapacke)
if(LADDER_OPENBLAS AND LADDER_LAPACKE_INCLUDE AND LADDER_LAPACKE)
  set(lesson_peer_libraries_cpu ${LADDER_LAPACKE})
  set(lesson_peer_include ${LADDER_LAPACKE_INCLUDE})
  set(lesson_peers_left_out eigen)
else()
  set(lesson_peers_left_out openblas)
  if(NOT TARGET Eigen3::Eigen)
    list(APPEND lesson_peers_left_out eigen)
  endif()
endif()

# cuSOLVER, on a GPU.
ladder_cuda_library(LADDER_CUSOLVER cusolver)
if(LADDER_CUSOLVER)
  set(lesson_peer_libraries_cuda ${LADDER_CUSOLVER})
endif()
set(lesson_peers_of_gpu cusolver)
