# The libraries that steps of any lesson are measured against. A lesson's own: lessons/NN-name/given/libraries.cmake. What is missing is left out; the tables show it.

find_package(Eigen3 QUIET)

foreach(backend cpu mpi opencl executor observed cuda)
  add_library(ladder-peer-libraries-${backend} INTERFACE)
endforeach()
if(TARGET Eigen3::Eigen)
  target_link_libraries(ladder-peer-libraries-cpu INTERFACE Eigen3::Eigen)
endif()
if(LADDER_OPENBLAS)
  target_link_libraries(ladder-peer-libraries-cpu INTERFACE ${LADDER_OPENBLAS})
  target_include_directories(ladder-peer-libraries-cpu SYSTEM INTERFACE ${LADDER_OPENBLAS_INCLUDE})
endif()
if(LADDER_CUBLAS)
  target_link_libraries(ladder-peer-libraries-cuda INTERFACE ${LADDER_CUBLAS})
endif()
