# The libraries that steps are measured against. What is missing is left out; the tables say so.

find_package(Eigen3 QUIET)
find_library(LADDER_OPENBLAS NAMES openblas)
find_path(LADDER_OPENBLAS_INCLUDE cblas.h PATH_SUFFIXES openblas x86_64-linux-gnu aarch64-linux-gnu)

foreach(backend cpu mpi opencl executor cuda)
  add_library(ladder-peer-libraries-${backend} INTERFACE)
endforeach()
if(TARGET Eigen3::Eigen)
  target_link_libraries(ladder-peer-libraries-cpu INTERFACE Eigen3::Eigen)
endif()
if(LADDER_OPENBLAS AND LADDER_OPENBLAS_INCLUDE)
  target_link_libraries(ladder-peer-libraries-cpu INTERFACE ${LADDER_OPENBLAS})
  target_include_directories(ladder-peer-libraries-cpu SYSTEM INTERFACE ${LADDER_OPENBLAS_INCLUDE})
endif()
if(LADDER_CUBLAS)
  target_link_libraries(ladder-peer-libraries-cuda INTERFACE ${LADDER_CUBLAS})
endif()
