# Worker programs: one a step, tree and back end, all left out of `all`; the tool asks for those it wants by their path.

find_package(OpenMP)
find_package(MPI COMPONENTS CXX)
find_package(OpenCL)

# ---- the harness' side of a worker, a library for each back end

set(judge_dir ${PROJECT_SOURCE_DIR}/common/judge)
add_library(ladder-worker STATIC EXCLUDE_FROM_ALL ${judge_dir}/worker.cpp ${judge_dir}/arrays.cpp)
target_link_libraries(ladder-worker PUBLIC ladder-channel ladder-sink ladder-options)

function(ladder_backend name source)
  add_library(ladder-worker-${name} STATIC EXCLUDE_FROM_ALL ${judge_dir}/${source})
  target_link_libraries(ladder-worker-${name} PUBLIC ladder-worker ${ARGN})
endfunction()

ladder_backend(cpu backend_cpu.cpp)
if(OpenMP_CXX_FOUND)
  target_link_libraries(ladder-worker-cpu PUBLIC OpenMP::OpenMP_CXX)
endif()
if(MPI_CXX_FOUND)
  ladder_backend(mpi backend_mpi.cpp MPI::MPI_CXX)
endif()
if(OpenCL_FOUND)
  add_library(ladder-device-opencl STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/common/device/opencl.cpp)
  target_link_libraries(ladder-device-opencl PUBLIC ladder-options OpenCL::OpenCL)
  ladder_backend(opencl backend_opencl.cpp ladder-device-opencl)
endif()
ladder_backend(executor backend_cuda.cpp ladder-executor)
target_include_directories(ladder-worker-executor BEFORE PRIVATE ${LADDER_EXECUTOR_DIR}/include)
target_compile_definitions(ladder-worker-executor PRIVATE LADDER_EXECUTOR)
# The executor's observed mode is a back end of its own only here: the same harness, the step compiled with hooks.
add_library(ladder-worker-observed INTERFACE)
target_link_libraries(ladder-worker-observed INTERFACE ladder-worker-executor)
# CPU steps under sanitizers: races by clang's ThreadSanitizer, with LLVM's OpenMP, whose Archer tells it of barriers and
# tasks; memory by g++'s AddressSanitizer and UndefinedBehaviorSanitizer. Only the step is compiled with their checks.
include(${CMAKE_CURRENT_LIST_DIR}/sanitizers.cmake)
if(LADDER_NVCC)
  ladder_backend(cuda backend_cuda.cpp ${LADDER_CUDA_LIBRARIES})
  target_include_directories(ladder-worker-cuda SYSTEM PUBLIC ${LADDER_CUDA_INCLUDE})
  ladder_nvcc_object(judge/warm_cuda "" ${judge_dir}/warm_cuda.cu warm)
  target_sources(ladder-worker-cuda PRIVATE ${warm})
endif()

# ---- one worker

# The main program that binds a function to the worker library, as a source: an object, compiled once for all trees, mutants and
# back ends of a step.
function(ladder_worker_main lesson space function result)
  set(target main-${lesson}-${function})
  set(${result} $<TARGET_OBJECTS:${target}> PARENT_SCOPE)
  if(TARGET ${target})
    return()
  endif()
  set(main ${CMAKE_BINARY_DIR}/generated/mains/${lesson}/${function}.cpp)
  file(CONFIGURE OUTPUT ${main} CONTENT
"#include \"${space}.hpp\"
#include \"common/judge/worker.hpp\"
namespace ${space} { void ${function}(const Problem&); }
int main(int argc, char** argv) { return ladder::worker_main<${space}::Problem>(argc, argv, ${space}::${function}); }
")
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${main})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/lessons/${lesson})
  target_link_libraries(${target} PRIVATE ladder-options)
endfunction()

# The hash of a step's source, as a source.
function(ladder_source_hash path source result)
  set(hash ${CMAKE_BINARY_DIR}/generated/${path}.hash.cpp)
  add_custom_command(OUTPUT ${hash} DEPENDS ${source} ${PROJECT_SOURCE_DIR}/common/cmake/source_hash.cmake
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${source} -DOUTPUT=${hash} -P ${PROJECT_SOURCE_DIR}/common/cmake/source_hash.cmake
    COMMENT "" VERBATIM)
  set(${result} ${hash} PARENT_SCOPE)
endfunction()

# What all mutants begin with, compiled once for each back end; a step's own source is compiled without, as nvcc does.
# ladder_mutant_headers(<target> <back end> <header>...)
function(ladder_mutant_headers target backend)
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/generated/nothing.cpp)
  ladder_executor_headers(${target})
  target_link_libraries(${target} PRIVATE ladder-options)
  target_precompile_headers(${target} PRIVATE <cuda_runtime.h> <algorithm> <vector> ${PROJECT_SOURCE_DIR}/common/device/cuda.hpp
    ${ARGN})
  if(backend STREQUAL "observed")
    target_compile_options(${target} PRIVATE ${LADDER_CUDA_FLAGS} ${LADDER_CUDA_OBSERVED_FLAGS})
  else()
    target_compile_options(${target} PRIVATE ${LADDER_CUDA_FLAGS} ${LADDER_MUTANT_FLAGS})
  endif()
endfunction()
ladder_mutant_headers(mutant-headers-executor executor)
ladder_mutant_headers(mutant-headers-observed observed)
if(TARGET ladder-worker-opencl)  # only the host's part of a step is compiled here
  add_library(mutant-headers-opencl OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/generated/nothing.cpp)
  target_link_libraries(mutant-headers-opencl PRIVATE ladder-worker-opencl)
  target_compile_options(mutant-headers-opencl PRIVATE -O1)
  target_precompile_headers(mutant-headers-opencl PRIVATE <algorithm> <string> <vector>
    ${PROJECT_SOURCE_DIR}/common/device/opencl.hpp)
endif()

# gold links a worker, which is mostly the executor's lines, in half of the time; only those that nobody but the tests runs.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold LADDER_HAS_GOLD)

# ladder_worker(<path below the build folder, without back end> <lesson> <back end> <function> <source> [<object library>])
# The ninja target is workers/<path>.<back end>. With an object library the source is compiled there, for several workers.
function(ladder_worker path lesson backend function source)
  if(NOT TARGET ladder-worker-${backend})
    return()
  endif()
  string(REPLACE "/" "-" target worker-${path}-${backend})
  string(REPLACE "~" "--" target ${target})
  string(REGEX REPLACE "^[0-9]+-" "" header ${lesson})
  string(REPLACE "-" "_" space ${header})
  get_filename_component(folder workers/${path} DIRECTORY)
  get_filename_component(file ${path} NAME)
  ladder_worker_main(${lesson} ${space} ${function} main)
  ladder_source_hash(${path} ${source} hash)
  add_executable(${target} EXCLUDE_FROM_ALL ${main} ${hash})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${file}.${backend} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${folder})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/lessons/${lesson})
  set(libraries_of ${backend})
  if(backend IN_LIST LADDER_SANITIZED)
    set(libraries_of cpu)
  endif()
  target_link_libraries(${target} PRIVATE ladder-worker-${backend} ${lesson_libraries_${libraries_of}})
  set(headers "")
  set(no_ptxas "")
  if(path MATCHES "^(mutants|attempts)/")
    set(no_ptxas WITHOUT_PTXAS)
    if(LADDER_HAS_GOLD AND NOT backend IN_LIST LADDER_SANITIZED)
      target_link_options(${target} PRIVATE -fuse-ld=gold)
    endif()
    if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS AND backend MATCHES "^(executor|observed)$")
      set(compiled mutant-headers-${backend})
      if(lesson_libraries_${backend})  # with flags of their own
        set(compiled ${compiled}-${lesson})
        if(NOT TARGET ${compiled})
          ladder_mutant_headers(${compiled} ${backend} ${lesson_headers})
          target_link_libraries(${compiled} PRIVATE ${lesson_libraries_${backend}})
        endif()
      endif()
      set(headers HEADERS ${CMAKE_BINARY_DIR}/CMakeFiles/${compiled}.dir/cmake_pch.hxx)
    endif()
  endif()
  if(ARGN)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${ARGN}>)
    set(source "")
  endif()
  if(backend STREQUAL "executor")
    ladder_cuda_on_cpu(${target} ${headers} ${source})
  elseif(backend STREQUAL "observed")
    ladder_cuda_on_cpu(${target} OBSERVED ${no_ptxas} ${headers} ${source})
  elseif(backend STREQUAL "cuda" AND source)
    ladder_nvcc_object(${path} ${lesson} ${source} object)
    target_sources(${target} PRIVATE ${object})
  elseif(backend STREQUAL "opencl" AND path MATCHES "^mutants/")
    target_sources(${target} PRIVATE ${source})
    target_compile_options(${target} PRIVATE -O1)
    target_precompile_headers(${target} REUSE_FROM mutant-headers-opencl)
  elseif(source)
    target_sources(${target} PRIVATE ${source})
    if(NOT backend IN_LIST LADDER_SANITIZED)
      target_compile_options(${target} PRIVATE ${LADDER_STEP_FLAGS})
    endif()
  endif()
  if(backend IN_LIST LADDER_SANITIZED)
    ladder_sanitized(${target} ${backend})
  endif()
  if(path MATCHES "^(given|variants)/")
    target_link_libraries(${target} PRIVATE ladder-peer-libraries-${backend} ${lesson_peer_libraries_${backend}})
    target_include_directories(${target} SYSTEM PRIVATE ${lesson_peer_include})
  endif()
endfunction()
