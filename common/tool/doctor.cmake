# What doctor and the choice of devices need: a library for the tool, and the probes, programs of their own.

find_package(fmt REQUIRED)
find_package(OpenMP)
find_package(OpenCL)
set(probe_dir ${PROJECT_SOURCE_DIR}/common/probe)

add_library(ladder-machine STATIC EXCLUDE_FROM_ALL
  ${PROJECT_SOURCE_DIR}/common/tool/machine/machine.cpp ${PROJECT_SOURCE_DIR}/common/tool/machine/software.cpp
  ${PROJECT_SOURCE_DIR}/common/tool/machine/ceilings.cpp
  ${PROJECT_SOURCE_DIR}/common/tool/machine/container_toolkit.cpp)
target_link_libraries(ladder-machine PUBLIC ladder-options ladder-results fmt::fmt nlohmann_json::nlohmann_json)

add_executable(probe-cuda EXCLUDE_FROM_ALL ${probe_dir}/cuda.cpp)
target_link_libraries(probe-cuda PRIVATE ladder-options ${CMAKE_DL_LIBS})
add_dependencies(ladder-machine probe-cuda confine)

if(OpenCL_FOUND)
  add_executable(probe-opencl EXCLUDE_FROM_ALL ${probe_dir}/opencl.cpp)
  target_link_libraries(probe-opencl PRIVATE ladder-options OpenCL::OpenCL)
  add_library(ladder-probe-layer MODULE EXCLUDE_FROM_ALL ${probe_dir}/layer.cpp)
  target_link_libraries(ladder-probe-layer PRIVATE ladder-options)
  target_include_directories(ladder-probe-layer SYSTEM PRIVATE ${OpenCL_INCLUDE_DIRS})
  set_target_properties(ladder-probe-layer PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
  add_dependencies(ladder-machine probe-opencl ladder-probe-layer)
  add_executable(ceilings-opencl EXCLUDE_FROM_ALL ${probe_dir}/ceilings_opencl.cpp)
  target_link_libraries(ceilings-opencl PRIVATE ladder-device-opencl)
endif()

if(LADDER_OPENBLAS)
  file(STRINGS ${LADDER_OPENBLAS_INCLUDE}/openblas_config.h line REGEX OPENBLAS_VERSION)
  if(line MATCHES "([0-9]+\\.[0-9]+\\.[0-9]+)")
    set_source_files_properties(${PROJECT_SOURCE_DIR}/common/tool/machine/software.cpp PROPERTIES
                                COMPILE_DEFINITIONS LADDER_OPENBLAS_VERSION="${CMAKE_MATCH_1}")
  endif()
  if(OpenMP_CXX_FOUND)
    add_executable(ceilings-host EXCLUDE_FROM_ALL ${probe_dir}/ceilings_host.cpp)
    target_include_directories(ceilings-host SYSTEM PRIVATE ${LADDER_OPENBLAS_INCLUDE})
    target_compile_options(ceilings-host PRIVATE ${LADDER_STEP_FLAGS} -ffp-contract=fast)
    target_link_libraries(ceilings-host PRIVATE ladder-options OpenMP::OpenMP_CXX ${LADDER_OPENBLAS})
  endif()
endif()

# On a GPU by nvcc; the executor runs the same file, for the latency of its launches.
if(LADDER_NVCC)
  ladder_nvcc_object(tool/ceilings_cuda "" ${probe_dir}/ceilings_cuda.cu object WHOLE)
  add_executable(ceilings-cuda EXCLUDE_FROM_ALL ${object})
  set_target_properties(ceilings-cuda PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(ceilings-cuda PRIVATE ${LADDER_CUDA_LIBRARIES})
endif()
if(EXISTS ${PROJECT_SOURCE_DIR}/common/executor/executor.cmake)
  add_executable(ceilings-executor EXCLUDE_FROM_ALL)
  target_link_libraries(ceilings-executor PRIVATE ladder-options)
  ladder_cuda_on_cpu(ceilings-executor ${probe_dir}/ceilings_cuda.cu)
endif()

# Tells the verb doctor where a library or a header of packages.txt was found: found/<sign> of the build folder.
function(ladder_found sign place)
  if(NOT place)  # also what find_path says where there is none
    set(place "")
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/found/${sign} CONTENT "${place}")
endfunction()
ladder_found(libOpenCL.so "${OpenCL_LIBRARIES}")
ladder_found(CL/cl_layer.h "${LADDER_CL_LAYER_INCLUDE}")
ladder_found(openblas*/openblas_config.h "${LADDER_OPENBLAS_INCLUDE}")
ladder_found(eigen3/Eigen/Core "${Eigen3_DIR}")
ladder_found(oclgrind/Plugin.h "${LADDER_OCLGRIND_INCLUDE}")
ladder_found(libarcher.so "${LADDER_ARCHER}")
ladder_found(libclang_rt.tsan* "${LADDER_TSAN_RUNTIME}")
