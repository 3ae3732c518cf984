# The executor: CUDA sources as programs of the processor.
#   ladder-executor            the runtime
#   ladder-rewriter            turns CUDA sources into C++
#   cu2cpp                     the same as a program, in bin/
#   ladder-executor-observe    of instrumented builds: counters and findings
#   ladder_cuda_on_cpu(target [OBSERVED] file.cu...)   adds CUDA sources to a program
# LADDER_OPENBLAS (common/base/openblas.cmake): without it everything but cuBLAS is there.

set(LADDER_EXECUTOR_DIR ${CMAKE_CURRENT_LIST_DIR})

file(GLOB _sources CONFIGURE_DEPENDS ${LADDER_EXECUTOR_DIR}/rewriter/*.cpp)
list(FILTER _sources EXCLUDE REGEX "/cu2cpp[.]cpp$")
add_library(ladder-rewriter STATIC ${_sources})
target_include_directories(ladder-rewriter PUBLIC ${LADDER_ROOT})
target_compile_features(ladder-rewriter PUBLIC cxx_std_20)
target_compile_options(ladder-rewriter PRIVATE -O2)
ladder_together(ladder-rewriter 6)
add_executable(cu2cpp ${LADDER_EXECUTOR_DIR}/rewriter/cu2cpp.cpp)
target_compile_options(cu2cpp PRIVATE -O2)
target_link_libraries(cu2cpp PRIVATE ladder-rewriter)
set_target_properties(cu2cpp PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

# Reads the program's own file; without the executor, because workers under a sanitizer use it too.
add_library(ladder-symbols STATIC ${LADDER_EXECUTOR_DIR}/runtime/symbols.cpp)
target_link_libraries(ladder-symbols PUBLIC ladder-base)

file(GLOB _sources CONFIGURE_DEPENDS ${LADDER_EXECUTOR_DIR}/runtime/*.cpp ${LADDER_EXECUTOR_DIR}/runtime/*/*.cpp)
list(FILTER _sources EXCLUDE REGEX "/symbols[.]cpp$")
add_library(ladder-executor STATIC ${_sources})
set(LADDER_EXECUTOR_OPTIMISATION -O2 CACHE STRING "how the executor itself is compiled")
# Optimised in every build type: a debug build of the switch and the barriers would be ten times slower.
# -g1: lines, and nothing of types: each of a thousand workers is linked with it.
function(_ladder_executor_part part)
  target_include_directories(${part} BEFORE PRIVATE ${LADDER_EXECUTOR_DIR}/include)
  target_compile_definitions(${part} PRIVATE LADDER_PROJECT_FOLDER="${LADDER_ROOT}/")
  target_compile_options(${part} PRIVATE ${LADDER_EXECUTOR_OPTIMISATION} -g1 -fno-omit-frame-pointer)
endfunction()
_ladder_executor_part(ladder-symbols)
_ladder_executor_part(ladder-executor)
# Half of what most of its sources take to compile; each includes what it needs all the same.
target_precompile_headers(ladder-executor PRIVATE <algorithm> <array> <atomic> <cstdint> <functional> <map> <memory> <mutex>
  <optional> <set> <string> <string_view> <vector>)
ladder_together(ladder-executor 10)
ladder_sanitize(ladder-rewriter cu2cpp ladder-symbols ladder-executor)
target_link_libraries(ladder-executor PUBLIC ladder-symbols ladder-base ladder-sink Threads::Threads)

# cuBLAS on OpenBLAS. Not found: a program that calls cublasDgemm does not link, and the linker names the function.
if(LADDER_OPENBLAS)
  file(GLOB _sources CONFIGURE_DEPENDS ${LADDER_EXECUTOR_DIR}/cublas/*.cpp)
  target_sources(ladder-executor PRIVATE ${_sources})
  target_include_directories(ladder-executor PRIVATE ${LADDER_OPENBLAS_INCLUDE})
  target_link_libraries(ladder-executor PUBLIC ${LADDER_OPENBLAS})
else()
  message(STATUS "OpenBLAS was not found: the executor has no cuBLAS")
endif()

# NCCL on MPI, a library of its own: a program that links it is started by mpirun.
find_package(MPI QUIET COMPONENTS CXX)
if(MPI_CXX_FOUND)
  add_library(ladder-executor-nccl STATIC EXCLUDE_FROM_ALL ${LADDER_EXECUTOR_DIR}/nccl/nccl.cpp ${LADDER_EXECUTOR_DIR}/nccl/nccl_comm.cpp)
  _ladder_executor_part(ladder-executor-nccl)
  target_link_libraries(ladder-executor-nccl PUBLIC ladder-executor MPI::MPI_CXX)
endif()

# How a rewritten source is compiled; also by the tool, for programs that this project does not know (toolchain.cmake).
# DWARF 4: with 5 some addr2line print the rewritten file's name. -O2 in every build type, as nvcc optimises in all.
# No strict aliasing: CUDA programs read a float4 as eight halves, or a float's bits as an int, and nvcc lets them.
# No fortified functions, which Ubuntu asks for: the observer knows memset, and not __memset_chk.
# No vectors made of scalars: GCC 13.3 makes one aligned load of a double2 that is read when its address is aligned and of the two
# doubles that are read when it is not. Then the processor does not fault on a misaligned double2, and the compiler must check (runtime/alignment.cpp):
# as on Arm, which allows a double2 at any address.
# Shifts: a GPU's result differs from this processor's (runtime/shift.cpp); linked without a sanitizer's library.
set(LADDER_CUDA_FLAGS -O2 -U_FORTIFY_SOURCE -g -gdwarf-4 -fno-omit-frame-pointer -fno-strict-aliasing -fsanitize=shift-exponent)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND
    (CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13 OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64"))
  list(APPEND LADDER_CUDA_FLAGS -fno-tree-slp-vectorize -fsanitize=alignment)
endif()

# -O1 takes two thirds of -O2's time, and what mutants compute is small. Vectors are made as there, unless they must not be: a
# double2 that is read in halves is never misaligned.
set(LADDER_MUTANT_FLAGS -g1 -O1)
if(NOT "-fno-tree-slp-vectorize" IN_LIST LADDER_CUDA_FLAGS)
  list(APPEND LADDER_MUTANT_FLAGS -ftree-slp-vectorize)
endif()

# The instrumented build (observed mode): our own functions behind the compiler's hooks, so compiled with them and linked without a sanitizer.
# The optimiser must not merge accesses or branches, split them or remove them: it takes a static array that is never written for
# zeros (-fno-ipa-reference-addressable).
# Nobody debugs these programs: where local variables are takes a tenth of a compilation, and changes no instruction.
# g++ only: observed.h says why. Where the project is compiled by another compiler, an observed program does not compile.
set(LADDER_CUDA_OBSERVED_FLAGS -DLADDER_EXECUTOR_OBSERVED -fsanitize=thread -fsanitize=bounds,alignment -Wno-tsan
  -fsanitize-coverage=trace-pc,trace-cmp --param=tsan-distinguish-volatile=1
  -fno-tree-vectorize -fno-tree-slp-vectorize -fno-tree-loop-distribute-patterns -fno-tree-loop-distribution
  -fno-store-merging -fno-tree-sra -fno-ipa-sra -fno-tree-tail-merge -fno-crossjumping -fno-tree-sink
  -fno-code-hoisting -fno-reorder-blocks -fno-reorder-blocks-and-partition -fno-ipa-reference-addressable
  -fno-var-tracking)
find_path(LADDER_LIBDW_INCLUDE elfutils/libdwfl.h REQUIRED)      # from code to source lines
find_library(LADDER_LIBDW dw REQUIRED)
find_path(LADDER_CAPSTONE_INCLUDE capstone/capstone.h REQUIRED)  # arithmetic in the compiled code
find_library(LADDER_CAPSTONE capstone REQUIRED)
add_library(ladder-lines STATIC ${LADDER_EXECUTOR_DIR}/observe/counters/lines.cpp)
_ladder_executor_part(ladder-lines)
target_include_directories(ladder-lines SYSTEM PRIVATE ${LADDER_LIBDW_INCLUDE})
target_link_libraries(ladder-lines PUBLIC ladder-symbols ${LADDER_LIBDW})
file(GLOB _sources CONFIGURE_DEPENDS ${LADDER_EXECUTOR_DIR}/observe/*.cpp ${LADDER_EXECUTOR_DIR}/observe/*/*.cpp)
list(FILTER _sources EXCLUDE REGEX "/lines[.]cpp$")
add_library(ladder-executor-observe STATIC ${_sources})
_ladder_executor_part(ladder-executor-observe)
target_precompile_headers(ladder-executor-observe REUSE_FROM ladder-executor)
ladder_together(ladder-executor-observe 22)
# It defines functions for programs that the executor's headers define inline.
set_source_files_properties(${LADDER_EXECUTOR_DIR}/observe/hooks.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
target_include_directories(ladder-executor-observe SYSTEM PRIVATE ${LADDER_LIBDW_INCLUDE} ${LADDER_CAPSTONE_INCLUDE})
target_link_libraries(ladder-executor-observe PUBLIC ladder-lines ladder-executor ladder-base ${LADDER_CAPSTONE})

# Lets sources of `target` that are no CUDA sources include <cuda_runtime.h> of the executor. Before all other folders:
# a CUDA toolkit's headers may be among them.
function(ladder_executor_headers target)
  target_include_directories(${target} BEFORE PRIVATE ${LADDER_EXECUTOR_DIR}/include)
endfunction()

# <cuda_runtime.h>, with which every rewritten source begins, is compiled once for each mode: half of what a small step takes. Where
# a source has other flags, GCC reads the header itself.
set(LADDER_PRECOMPILES OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  set(LADDER_PRECOMPILES ON)
endif()

# ladder_compiled_headers(<target> FLAGS <flag>... HEADERS <header>...): <cuda_runtime.h> and these headers.
function(ladder_compiled_headers target)
  cmake_parse_arguments(PARSE_ARGV 1 _compiled "" "" "FLAGS;HEADERS")
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/generated/nothing.cpp)
  ladder_no_warnings(${target})
  ladder_executor_headers(${target})
  target_include_directories(${target} PRIVATE ${LADDER_ROOT})
  target_compile_options(${target} PRIVATE -std=c++20 ${_compiled_FLAGS})
  target_precompile_headers(${target} PRIVATE <cuda_runtime.h> ${_compiled_HEADERS})
endfunction()
if(LADDER_PRECOMPILES)
  ladder_compiled_headers(headers-executor FLAGS ${LADDER_CUDA_FLAGS})
  ladder_compiled_headers(headers-observed FLAGS ${LADDER_CUDA_FLAGS} ${LADDER_CUDA_OBSERVED_FLAGS})
endif()

# With nvcc: adds to `target` the registers and the local memory of the sources' kernels, as ptxas reports them.
function(_ladder_ptxas target)
  if(NOT LADDER_NVCC)
    return()
  endif()
  set(dirs "$<FILTER:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>,EXCLUDE,common/executor/include>")
  foreach(file IN LISTS ARGN)
    get_filename_component(source ${file} ABSOLUTE)
    get_filename_component(name ${file} NAME)
    set(report ${CMAKE_CURRENT_BINARY_DIR}/${target}.cuda/${name}.ptxas.cpp)
    add_custom_command(OUTPUT ${report} DEPENDS ${source} ${LADDER_EXECUTOR_DIR}/ptxas.cmake DEPFILE ${report}.d
      COMMAND ${CMAKE_COMMAND} "-DNVCC=${LADDER_NVCC};-std=c++20;-O3;-arch=${LADDER_CUDA_ARCHITECTURE};--expt-relaxed-constexpr;$<$<BOOL:${dirs}>:-I$<JOIN:${dirs},;-I>>"
              -DSOURCE=${source} -DOUTPUT=${report} -P ${LADDER_EXECUTOR_DIR}/ptxas.cmake
      COMMENT "Asking ptxas about ${name}" VERBATIM)
    target_sources(${target} PRIVATE ${report})
  endforeach()
endfunction()

# Adds CUDA sources to `target`: rewrites them, compiles them with the executor's headers, links the executor.
# Headers that they include by "name" are found next to them and in the target's own include folders.
# OBSERVED: an instrumented build, with hooks and their library.
# WITHOUT_PTXAS: nvcc is not asked for registers that are never read.
# FOR_VERDICT: LADDER_MUTANT_FLAGS where the program is not observed: nobody needs its types. What is observed is compiled in one way.
# HEADERS target: of ladder_compiled_headers with the same flags.
function(ladder_cuda_on_cpu target)
  cmake_parse_arguments(PARSE_ARGV 1 _cuda "OBSERVED;WITHOUT_PTXAS;FOR_VERDICT" HEADERS "")
  ladder_no_warnings(${target})
  ladder_executor_headers(${target})
  set(more "")
  if(_cuda_FOR_VERDICT AND NOT _cuda_OBSERVED)
    set(more ${LADDER_MUTANT_FLAGS})
  endif()
  if(NOT _cuda_HEADERS AND _cuda_OBSERVED)
    set(_cuda_HEADERS headers-observed)
  elseif(NOT _cuda_HEADERS)
    set(_cuda_HEADERS headers-executor)
  endif()
  foreach(file IN LISTS _cuda_UNPARSED_ARGUMENTS)
    get_filename_component(source ${file} ABSOLUTE)
    get_filename_component(name ${file} NAME)
    get_filename_component(source_dir ${source} DIRECTORY)
    set(rewritten ${CMAKE_CURRENT_BINARY_DIR}/${target}.cuda/${name}.cpp)
    set(dirs $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${target}.cuda)
    add_custom_command(
      OUTPUT ${rewritten}
      BYPRODUCTS ${rewritten}.options
      COMMAND cu2cpp ${source} ${rewritten} --depfile ${rewritten}.d "$<$<BOOL:${dirs}>:-I$<JOIN:${dirs},;-I>>"
      DEPENDS ${source} cu2cpp
      DEPFILE ${rewritten}.d
      COMMENT "Rewriting ${name} for the executor"
      COMMAND_EXPAND_LISTS VERBATIM)
    target_sources(${target} PRIVATE ${rewritten})
    # Messages name files as seen from the project's folder: the prefix map. Debuggers find them by their whole path.
    if(_cuda_OBSERVED)
      set(more ${LADDER_CUDA_OBSERVED_FLAGS} @${rewritten}.options)
    endif()
    set_source_files_properties(${rewritten} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS
      "-std=c++20;${LADDER_CUDA_FLAGS};${more};-fmacro-prefix-map=${LADDER_ROOT}/=;-iquote;${source_dir}")
    if(LADDER_PRECOMPILES)
      get_target_property(folder ${_cuda_HEADERS} BINARY_DIR)
      set(first ${folder}/CMakeFiles/${_cuda_HEADERS}.dir/cmake_pch.hxx)
      set_property(SOURCE ${rewritten} APPEND PROPERTY COMPILE_OPTIONS -include ${first})
      set_property(SOURCE ${rewritten} APPEND PROPERTY OBJECT_DEPENDS ${first}.gch)
    endif()
  endforeach()
  target_link_libraries(${target} PRIVATE ladder-executor)
  if(_cuda_OBSERVED)
    if(NOT _cuda_WITHOUT_PTXAS)
      _ladder_ptxas(${target} ${_cuda_UNPARSED_ARGUMENTS})
    endif()
    # whole: the program itself calls nothing of it
    if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.24)
      target_link_libraries(${target} PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,ladder-executor-observe>)
    else()  # Ubuntu 22.04, of autograders
      target_link_options(${target} PRIVATE
        -Wl,--whole-archive,$<TARGET_FILE:ladder-executor-observe>,--no-whole-archive)
      target_link_libraries(${target} PRIVATE ladder-executor-observe)
    endif()
  endif()
endfunction()
