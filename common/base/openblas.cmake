# OpenBLAS, by its own headers: Debian keeps each BLAS in a folder of its own.
# Sets LADDER_OPENBLAS, false where it is not installed, and LADDER_OPENBLAS_INCLUDE.

set(folders openblas-pthread openblas openblas-openmp)
find_path(LADDER_OPENBLAS_INCLUDE openblas_config.h PATH_SUFFIXES ${folders})
find_library(LADDER_OPENBLAS openblas PATH_SUFFIXES ${folders})
if(NOT LADDER_OPENBLAS_INCLUDE)
  set(LADDER_OPENBLAS FALSE)  # the library alone, as other packages bring it
endif()
