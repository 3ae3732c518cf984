# The trace library and the recorders. A recorder whose interface is not on this machine is left out, with
# a message.

set(LADDER_TRACE_DIR ${PROJECT_SOURCE_DIR}/common/trace)

add_library(ladder-trace STATIC
  ${LADDER_TRACE_DIR}/trace.cpp ${LADDER_TRACE_DIR}/perfetto.cpp ${LADDER_TRACE_DIR}/metrics.cpp
  ${LADDER_TRACE_DIR}/counter_metrics.cpp ${LADDER_TRACE_DIR}/metric_table.cpp
  ${LADDER_TRACE_DIR}/access_text.cpp
  ${LADDER_TRACE_DIR}/oclgrind/oclgrind.cpp ${LADDER_TRACE_DIR}/oclgrind/oclgrind_log.cpp ${LADDER_TRACE_DIR}/oclgrind/oclgrind_message.cpp
  ${LADDER_TRACE_DIR}/oclgrind/oclgrind_words.cpp ${LADDER_TRACE_DIR}/oclgrind/kernel_file.cpp
  ${LADDER_TRACE_DIR}/devices.cpp ${LADDER_TRACE_DIR}/occupancy.cpp ${LADDER_TRACE_DIR}/bound.cpp ${LADDER_TRACE_DIR}/ncu.cpp ${LADDER_TRACE_DIR}/programs.cpp)
target_include_directories(ladder-trace PUBLIC ${PROJECT_SOURCE_DIR})
target_compile_features(ladder-trace PUBLIC cxx_std_20)
target_compile_options(ladder-trace PRIVATE -O0)
ladder_together(ladder-trace 16)
ladder_sanitize(ladder-trace)
ladder_built_soon(ladder-trace)
target_link_libraries(ladder-trace PUBLIC ladder-base PRIVATE fmt::fmt)

find_path(LADDER_CL_LAYER_INCLUDE CL/cl_layer.h)
if(LADDER_CL_LAYER_INCLUDE)
  ladder_shared(ladder-trace-opencl
    ${LADDER_TRACE_DIR}/recorders/opencl_layer.cpp ${LADDER_TRACE_DIR}/recorders/opencl_commands.cpp
    ${LADDER_TRACE_DIR}/recorders/opencl_copies.cpp ${LADDER_TRACE_DIR}/recorders/opencl_memory.cpp
    ${LADDER_TRACE_DIR}/recorders/opencl_state.cpp)
  target_compile_definitions(ladder-trace-opencl
    PRIVATE CL_TARGET_OPENCL_VERSION=300 CL_USE_DEPRECATED_OPENCL_1_2_APIS)
  target_include_directories(ladder-trace-opencl SYSTEM PRIVATE ${LADDER_CL_LAYER_INCLUDE})
  target_link_libraries(ladder-trace-opencl PRIVATE ladder-sink)
  ladder_together(ladder-trace-opencl 5)
else()
  message(STATUS "OpenCL recorder left out: CL/cl_layer.h not found (package opencl-headers); "
                 "targets of OpenCL steps will be SKIPPED")
endif()

# The plugin: Oclgrind's headers, nothing of LLVM's. -fno-rtti, as Oclgrind itself is built: its classes have no type
# information for ours to refer to.
find_path(LADDER_OCLGRIND_INCLUDE oclgrind/Plugin.h)
find_library(LADDER_OCLGRIND_LIBRARY oclgrind)
if(LADDER_OCLGRIND_INCLUDE AND LADDER_OCLGRIND_LIBRARY)
  set(plugin ${LADDER_TRACE_DIR}/oclgrind_plugin)
  ladder_shared(ladder-oclgrind
    ${plugin}/counters.cpp ${plugin}/instruction.cpp ${plugin}/messages.cpp ${plugin}/objects.cpp ${plugin}/plugin.cpp
    ${plugin}/ranges.cpp ${plugin}/observation_file.cpp ${plugin}/releases.cpp ${plugin}/totals.cpp ${plugin}/warp_log.cpp
    ${plugin}/written.cpp)
  target_include_directories(ladder-oclgrind SYSTEM PRIVATE ${LADDER_OCLGRIND_INCLUDE} ${plugin})
  target_compile_options(ladder-oclgrind PRIVATE -fno-rtti)
  ladder_together(ladder-oclgrind 6)
  target_link_libraries(ladder-oclgrind
    PRIVATE ladder-base ${LADDER_OCLGRIND_LIBRARY} ${CMAKE_DL_LIBS})
else()
  message(STATUS "Oclgrind plugin left out: oclgrind/Plugin.h not found (package liboclgrind-dev); "
                 "counters of OpenCL steps will be SKIPPED")
endif()

find_package(MPI QUIET COMPONENTS CXX)
if(MPI_CXX_FOUND)
  ladder_shared(ladder-trace-mpi ${LADDER_TRACE_DIR}/recorders/pmpi.cpp ${LADDER_TRACE_DIR}/recorders/pmpi_collectives.cpp)
  target_compile_definitions(ladder-trace-mpi PRIVATE OMPI_SKIP_MPICXX)
  target_link_libraries(ladder-trace-mpi PRIVATE ladder-sink MPI::MPI_CXX)
else()
  message(STATUS "MPI recorder left out: MPI not found (packages libopenmpi-dev openmpi-bin); "
                 "MPI steps will be SKIPPED")
endif()

# Built everywhere: it looks NCCL's functions up when it is loaded.
ladder_shared(ladder-trace-nccl ${LADDER_TRACE_DIR}/recorders/nccl.cpp)
target_link_libraries(ladder-trace-nccl PRIVATE ladder-sink ${CMAKE_DL_LIBS})

find_path(LADDER_CUPTI_INCLUDE cupti.h
  HINTS ENV CUDA_HOME ENV CUDA_PATH
  PATHS /usr/local/cuda /usr/local/cuda/extras/CUPTI
  PATH_SUFFIXES include targets/x86_64-linux/include targets/sbsa-linux/include extras/CUPTI/include)
find_library(LADDER_CUPTI_LIBRARY cupti
  HINTS ENV CUDA_HOME ENV CUDA_PATH
  PATHS /usr/local/cuda /usr/local/cuda/extras/CUPTI
  PATH_SUFFIXES lib64 targets/x86_64-linux/lib targets/sbsa-linux/lib extras/CUPTI/lib64)
if(LADDER_CUPTI_INCLUDE AND LADDER_CUPTI_LIBRARY)
  ladder_shared(ladder-trace-cuda ${LADDER_TRACE_DIR}/recorders/cupti.cpp ${LADDER_TRACE_DIR}/recorders/cupti_order.cpp)
  target_include_directories(ladder-trace-cuda SYSTEM PRIVATE ${LADDER_CUPTI_INCLUDE})
  target_link_libraries(ladder-trace-cuda PRIVATE ladder-sink ${LADDER_CUPTI_LIBRARY} Threads::Threads)
  cmake_path(GET LADDER_CUPTI_LIBRARY PARENT_PATH LADDER_CUPTI_FOLDER)
  set_property(TARGET ladder-trace-cuda APPEND PROPERTY BUILD_RPATH ${LADDER_CUPTI_FOLDER})
else()
  message(STATUS "CUDA recorder left out: cupti.h or libcupti not found; "
                 "traces of CUDA steps come from the executor only")
endif()
