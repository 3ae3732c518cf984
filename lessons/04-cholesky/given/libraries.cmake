# What the programs of this lesson link beside those of all lessons, by back end, and for its judge.

find_package(ZLIB REQUIRED)
find_path(LADDER_METIS_INCLUDE metis.h REQUIRED)
find_library(LADDER_METIS metis REQUIRED)
if(NOT LADDER_OPENBLAS)
  message(FATAL_ERROR "Lesson 04-cholesky needs OpenBLAS (package libopenblas-dev)")
endif()
set(lesson_libraries_judge ZLIB::ZLIB ${LADDER_METIS} ${LADDER_OPENBLAS})
set(lesson_libraries_cpu ${LADDER_OPENBLAS})
set(lesson_libraries_executor OpenMP::OpenMP_CXX)
set(lesson_libraries_observed OpenMP::OpenMP_CXX)
set(lesson_libraries_cuda ${LADDER_CUBLAS} ${LADDER_OPENBLAS} OpenMP::OpenMP_CXX)
set(lesson_nvcc_options -Xcompiler -fopenmp)

# The peer: CHOLMOD, of SuiteSparse.
find_path(LADDER_CHOLMOD_INCLUDE cholmod.h PATH_SUFFIXES suitesparse REQUIRED)
find_library(LADDER_CHOLMOD cholmod REQUIRED)
find_path(LADDER_EIGEN_INCLUDE Eigen/SparseCholesky PATH_SUFFIXES eigen3 REQUIRED)
set(lesson_peer_libraries_cpu ${LADDER_CHOLMOD})
set(lesson_peer_libraries_executor ${LADDER_CHOLMOD})  # beside the GPU's steps it computes on the host's cores
set(lesson_peer_libraries_cuda ${LADDER_CHOLMOD})
list(APPEND lesson_nvcc_options -I${LADDER_CHOLMOD_INCLUDE})
set(lesson_peer_include ${LADDER_CHOLMOD_INCLUDE} ${LADDER_EIGEN_INCLUDE})
list(APPEND lesson_libraries_judge ${LADDER_CHOLMOD})  # reproduce times its phases apart
