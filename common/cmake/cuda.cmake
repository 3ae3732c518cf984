# nvcc, where it is: found by hand, since CMake's language support needs a GPU or an architecture and drops C++20 silently.
# The minimum is 12.2: std::source_location in device code.

# ladder_cuda_library(<variable> <name>): a library of the toolkit, "cublas"; -NOTFOUND where it or the toolkit is not.
function(ladder_cuda_library variable name)
  if(LADDER_NVCC)
    find_library(${variable} NAMES ${name} HINTS ${LADDER_CUDA_ROOT}/lib64 ${LADDER_CUDA_ROOT}/targets/x86_64-linux/lib
      ${LADDER_CUDA_ROOT}/lib)
  else()
    set(${variable} ${variable}-NOTFOUND PARENT_SCOPE)
  endif()
endfunction()

find_program(LADDER_NVCC nvcc HINTS $ENV{CUDA_PATH}/bin $ENV{CUDA_HOME}/bin /usr/local/cuda/bin)
if(NOT LADDER_NVCC)
  message(STATUS "nvcc was not found: CUDA steps run on the executor only")
  return()
endif()
execute_process(COMMAND ${LADDER_NVCC} --version OUTPUT_VARIABLE text)
string(REGEX MATCH "release ([0-9.]+)" ignored "${text}")
set(LADDER_NVCC_VERSION ${CMAKE_MATCH_1})
if(LADDER_NVCC_VERSION VERSION_LESS 12.2)
  message(STATUS "nvcc ${LADDER_NVCC_VERSION} is older than 12.2: CUDA steps run on the executor only")
  set(LADDER_NVCC "" CACHE FILEPATH "too old" FORCE)
  return()
endif()
get_filename_component(LADDER_CUDA_ROOT ${LADDER_NVCC} REALPATH)
get_filename_component(LADDER_CUDA_ROOT ${LADDER_CUDA_ROOT}/../.. ABSOLUTE)
set(LADDER_CUDA_INCLUDE ${LADDER_CUDA_ROOT}/include)
ladder_cuda_library(cudart cudart_static)
ladder_cuda_library(LADDER_NCCL nccl)
find_path(LADDER_NCCL_INCLUDE nccl.h HINTS ${LADDER_CUDA_INCLUDE})
ladder_cuda_library(LADDER_CUBLAS cublas)  # of which the executor has one, too
find_package(Threads REQUIRED)
set(LADDER_CUDA_LIBRARIES ${cudart} Threads::Threads ${CMAKE_DL_LIBS} rt)
execute_process(COMMAND nvidia-smi -L TIMEOUT 20 RESULT_VARIABLE no_gpu OUTPUT_QUIET ERROR_QUIET)
if(no_gpu)
  set(LADDER_CUDA_ARCHITECTURE sm_90a)  # a compile test only: nothing runs
  set(LADDER_NVCC_TARGET -gencode arch=compute_90a,code=sm_90a)  # -arch compiles for older devices, too: a quarter longer
else()
  # By its number where all GPUs have the same: -arch=native needs a GPU, and who compiles a submission is not shown one.
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader TIMEOUT 20 OUTPUT_VARIABLE capabilities ERROR_QUIET
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX REPLACE "[\n ]+" ";" capabilities "${capabilities}")
  list(REMOVE_DUPLICATES capabilities)
  set(LADDER_CUDA_ARCHITECTURE native)
  if(capabilities MATCHES "^[0-9]+[.][0-9]$")
    string(REPLACE "." "" capability "${capabilities}")
    set(LADDER_CUDA_ARCHITECTURE sm_${capability})
    if(capability EQUAL 90)
      string(APPEND LADDER_CUDA_ARCHITECTURE a)  # with the operations that only a Hopper GPU has: wgmma
    endif()
  endif()
  set(LADDER_NVCC_TARGET -arch=${LADDER_CUDA_ARCHITECTURE})
endif()
message(STATUS "nvcc ${LADDER_NVCC_VERSION}, ${LADDER_CUDA_ARCHITECTURE}")

# Every .cu that nvcc must accept; without a GPU this is a compile test.
add_custom_target(nvcc-check)

function(_ladder_nvcc_command lesson result)
  set(${result} ${LADDER_NVCC} -std=c++20 -O3 -lineinfo ${LADDER_NVCC_TARGET} --expt-relaxed-constexpr
    ${lesson_nvcc_options} -I${PROJECT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/lessons/${lesson} PARENT_SCOPE)
endfunction()

# ladder_nvcc_once(<path> <lesson> <source> <variable for the report>): without a GPU nvcc runs once for all that is asked of a
# step, on the device's side, which is half of the work. The report is a source of the observed program and holds what ptxas says of
# the kernels; it is made of a source that nvcc refuses, too. nvcc/<path>.cubin fails then, with nvcc's message.
# The host's side is seen in one solution of a lesson (lesson_whole_step), of which it makes nvcc/<path>.o.
function(ladder_nvcc_once path lesson source result)
  set(stem ${CMAKE_BINARY_DIR}/nvcc/${path})
  set(report ${stem}.ptxas.cpp)
  set(${result} ${report} PARENT_SCOPE)
  get_source_file_property(known ${report} GENERATED)
  if(known)
    return()
  endif()
  set(kind cubin)
  if(path STREQUAL "${lesson_whole_step}")
    set(kind o)
  endif()
  get_filename_component(folder ${stem} DIRECTORY)
  _ladder_nvcc_command("${lesson}" compile)
  add_custom_command(OUTPUT ${report} DEPENDS ${source} ${LADDER_EXECUTOR_DIR}/ptxas.cmake DEPFILE ${report}.d
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${CMAKE_COMMAND} "-DNVCC=${compile}" -DKIND=${kind} -DSOURCE=${source} -DOUTPUT=${report} -P ${LADDER_EXECUTOR_DIR}/ptxas.cmake
    COMMENT "nvcc ${path}" VERBATIM)
  add_custom_command(OUTPUT ${stem}.${kind} DEPENDS ${report}
    COMMAND sh ${PROJECT_SOURCE_DIR}/common/cmake/nvcc_accepted.sh ${report} ${stem}.${kind} COMMENT "" VERBATIM)
endfunction()

# ladder_nvcc_object(<path> <lesson> <source> <variable for the object's path> [WHOLE]): compiles a step by nvcc.
# WHOLE: the host's side, too, where there is no GPU.
function(ladder_nvcc_object path lesson source result)
  set(object ${CMAKE_BINARY_DIR}/nvcc/${path}.o)
  set(${result} ${object} PARENT_SCOPE)
  set(checked ${object})
  if(no_gpu AND NOT ARGN)
    ladder_nvcc_once(${path} "${lesson}" ${source} report)
    if(NOT path STREQUAL "${lesson_whole_step}")
      set(checked ${CMAKE_BINARY_DIR}/nvcc/${path}.cubin)
    endif()
  endif()
  if(NOT no_gpu OR ARGN OR NOT checked STREQUAL object)
    get_filename_component(folder ${object} DIRECTORY)
    _ladder_nvcc_command("${lesson}" compile)
    add_custom_command(OUTPUT ${object} DEPENDS ${source} DEPFILE ${object}.d
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND ${compile} -MD -MF ${object}.d -c ${source} -o ${object} COMMENT "nvcc ${path}" VERBATIM)
  endif()
  if(NOT path MATCHES "^mutants/")
    string(REPLACE "/" "-" name nvcc-${path})
    string(REPLACE "~" "--" name ${name})
    add_custom_target(${name} DEPENDS ${checked})
    add_dependencies(nvcc-check ${name})
  endif()
endfunction()

# A CUDA program with its own main, by nvcc: the ninja target <folder>/<name>.cuda.
function(ladder_nvcc_program folder name source)
  ladder_nvcc_object(${folder}/${name} "" ${source} object)
  string(REPLACE "/" "-" target ${folder}-${name}-cuda)
  add_executable(${target} EXCLUDE_FROM_ALL ${object})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME ${name}.cuda RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${folder})
  target_link_libraries(${target} PRIVATE ${LADDER_CUDA_LIBRARIES})
endfunction()
