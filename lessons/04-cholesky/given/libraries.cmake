# What the programs of this lesson link next to those of all lessons, by back end, and for its judge.

find_package(ZLIB)
find_path(LADDER_METIS_INCLUDE metis.h)
find_library(LADDER_METIS metis)
find_path(LADDER_CHOLMOD_INCLUDE cholmod.h PATH_SUFFIXES suitesparse)
find_library(LADDER_CHOLMOD cholmod)
find_path(LADDER_EIGEN_INCLUDE Eigen/SparseCholesky PATH_SUFFIXES eigen3)
ladder_lesson_needs(libopenblas-dev LADDER_OPENBLAS zlib1g-dev ZLIB_FOUND libmetis-dev LADDER_METIS_INCLUDE LADDER_METIS
  libsuitesparse-dev LADDER_CHOLMOD_INCLUDE LADDER_CHOLMOD libeigen3-dev LADDER_EIGEN_INCLUDE)
if(lesson_missing)
  return()
endif()
set(lesson_libraries_judge ZLIB::ZLIB ${LADDER_METIS} ${LADDER_OPENBLAS})
set(lesson_libraries_cpu ${LADDER_OPENBLAS})
set(lesson_libraries_executor OpenMP::OpenMP_CXX)
set(lesson_libraries_observed OpenMP::OpenMP_CXX)
set(lesson_libraries_cuda ${LADDER_CUBLAS} ${LADDER_OPENBLAS} OpenMP::OpenMP_CXX)
set(lesson_nvcc_options -Xcompiler -fopenmp)
set(lesson_headers ${PROJECT_SOURCE_DIR}/common/device/cublas.hpp)  # of nearly all CUDA steps: compiled once for their mutants

# The peer: CHOLMOD, of SuiteSparse.
set(lesson_peer_libraries_cpu ${LADDER_CHOLMOD})
set(lesson_peer_libraries_executor ${LADDER_CHOLMOD})  # next to the GPU's steps it computes on the host's cores
set(lesson_peer_libraries_cuda ${LADDER_CHOLMOD})
list(APPEND lesson_nvcc_options -I${LADDER_CHOLMOD_INCLUDE})
set(lesson_peer_include ${LADDER_CHOLMOD_INCLUDE} ${LADDER_EIGEN_INCLUDE})
list(APPEND lesson_libraries_judge ${LADDER_CHOLMOD} OpenMP::OpenMP_CXX)  # reproduce times its phases apart, and sets its threads

# cuDSS, of NVIDIA, where it and the CUDA toolkit are, which it is no part of: reproduce times its phases apart. Its
# packages for Debian have a folder for each CUDA. Hints, by -D or in the environment: CUDSS_DIR, where it was unpacked,
# and cudss_DIR, its CMake package.
set(cudss_reason "not looked for: there is no CUDA toolkit")
if(LADDER_NVCC)
  find_package(cudss CONFIG QUIET HINTS ${CUDSS_DIR} $ENV{CUDSS_DIR} $ENV{cudss_DIR})
  set(hints ${CUDSS_DIR} $ENV{CUDSS_DIR})
  if(cudss_FOUND)
    list(APPEND hints ${cudss_INCLUDE_DIR} ${cudss_LIBRARY_DIR} ${cudss_DIR}/../../..)
  endif()
  string(REGEX MATCH "^[0-9]+" cuda_major ${LADDER_NVCC_VERSION})
  file(GLOB places /usr/include/libcudss/* /usr/lib/*-linux-gnu/libcudss/*)
  list(SORT places COMPARE NATURAL ORDER DESCENDING)
  file(GLOB same_cuda /usr/include/libcudss/${cuda_major} /usr/lib/*-linux-gnu/libcudss/${cuda_major})
  list(APPEND hints ${LADDER_CUDA_INCLUDE}/.. ${same_cuda})
  find_path(LADDER_CUDSS_INCLUDE cudss.h HINTS ${hints} PATHS ${places} PATH_SUFFIXES include)
  find_library(LADDER_CUDSS NAMES cudss libcudss.so.1 libcudss.so.0 HINTS ${hints} PATHS ${places}
    PATH_SUFFIXES lib lib64)
  set(absent "")
  if(NOT LADDER_CUDSS_INCLUDE)
    list(APPEND absent cudss.h)
  endif()
  if(NOT LADDER_CUDSS)
    list(APPEND absent libcudss)
  endif()
  list(JOIN absent " and " absent)
  set(cudss_reason "not found: ${absent}")
endif()
if(LADDER_NVCC AND LADDER_CUDSS_INCLUDE AND LADDER_CUDSS)
  # One of another version than its header, or without the libraries that it needs, must not take the judge along.
  set(both "${LADDER_CUDSS_INCLUDE} ${LADDER_CUDSS}")
  if(NOT LADDER_CUDSS_RUNS OR NOT "${LADDER_CUDSS_TRIED}" STREQUAL both)  # what lacked may be there now
    unset(LADDER_CUDSS_RUNS CACHE)
    set(LADDER_CUDSS_TRIED "${both}" CACHE INTERNAL "what LADDER_CUDSS_RUNS is about")
  endif()
  set(CMAKE_REQUIRED_INCLUDES ${LADDER_CUDSS_INCLUDE} ${LADDER_CUDA_INCLUDE})
  set(CMAKE_REQUIRED_LIBRARIES ${LADDER_CUDSS} ${LADDER_CUDA_LIBRARIES} ${LADDER_CUBLAS})
  set(CMAKE_REQUIRED_QUIET ON)
  include(CheckCXXSourceRuns)
  check_cxx_source_runs("#include <cudss.h>
    int main() { int major = -1; return cudssGetProperty(MAJOR_VERSION, &major) || major != CUDSS_VERSION_MAJOR; }"
    LADDER_CUDSS_RUNS)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
  unset(CMAKE_REQUIRED_QUIET)
  set(cudss_reason "no program runs with ${LADDER_CUDSS}")
  if(LADDER_CUDSS_RUNS)
    set(cudss_reason "")
    set(lesson_judge_include ${LADDER_CUDSS_INCLUDE} ${LADDER_CUDA_INCLUDE})
    list(APPEND lesson_libraries_judge ${LADDER_CUDSS} ${LADDER_CUDA_LIBRARIES} ${LADDER_CUBLAS})
  endif()
endif()
if(cudss_reason)
  set(cudss_definition "LADDER_CUDSS_REASON=\"${cudss_reason}\"")
else()
  set(cudss_definition LADDER_CUDSS)
endif()
set_source_files_properties(${PROJECT_SOURCE_DIR}/tests/04-cholesky/cudss.cpp PROPERTIES
  COMPILE_DEFINITIONS "${cudss_definition}")
if(CMAKE_CURRENT_SOURCE_DIR STREQUAL PROJECT_SOURCE_DIR)  # not for the tests once more
  set(found "")
  if(NOT cudss_reason)
    set(found ${LADDER_CUDSS})
  endif()
  message(STATUS "cuDSS, a row of reproduce 04: ${found}${cudss_reason}")
  ladder_found(libcudss.so "${found}")
endif()
